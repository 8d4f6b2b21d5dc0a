"""Times as people here write them: one form in every language, and never without the zone."""

DATETIME_FORMAT = "Y-m-d H:i:s T"
