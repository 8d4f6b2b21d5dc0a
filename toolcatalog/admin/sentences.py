"""Sentences of the services that have translations: what is wrong with an input, warnings, notices, words of rules.

`{0}`, `{1}` stand for values. A sentence that is not listed here is shown in English.
"""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

RULES = (
    _("{subject} contains any of {value}"),
    _("{subject} contains none of {value}"),
    _("{subject} contains all of {value}"),
    _("{subject} does not contain all of {value}"),
    _("{subject} matches the pattern {value}"),
    _("{subject} does not match the pattern {value}"),
    _("{subject} is {value}"),
    _("{subject} is not {value}"),
    _("{subject} is one of {value}"),
    _("{subject} is none of {value}"),
    _("{subject} starts with {value}"),
    _("{subject} does not start with {value}"),
    _("{subject} ends with {value}"),
    _("{subject} does not end with {value}"),
    _("{subject} is greater or later than {value}"),
    _("{subject} is not greater or later than {value}"),
    _("{subject} is less or earlier than {value}"),
    _("{subject} is not less or earlier than {value}"),
    _("{subject} is true"),
    _("{subject} is not true"),
    _("{subject} is false"),
    _("{subject} is not false"),
    _("{subject} is given"),
    _("{subject} is not given"),
    _("{subject} is among the first {value} percent"),
    _("{subject} is not among the first {value} percent"),
    _("{subject} is between {value}"),
    _("{subject} is not between {value}"),
    _("the group {value} matched before"),
    _("the group {value} did not match before"),
    _("one of the groups {value} matched before"),
    _("none of the groups {value} matched before"),
    _("all of the groups {value} matched before"),
    _("not all of the groups {value} matched before"),
    _("always"),
    _("the matcher {value} decides"),
    _("a condition that is broken and never true"),
    _("the last user message"),
    _("the model"),
    _("the account"),
    _("the conversation"),
    _("the bot"),
    _("the turn"),
    _("the tenant"),
    _("the time of the request"),
    _("the attribute {attribute}"),
    _("an earlier group that matched"),
)
"""Parts of rules in words. Their places are filled in after the translation."""

NAMES = (
    _("A tool needs a name."),
    _("The name has {0} characters; {1} are allowed."),
    _('The name may not contain {0}. "{1}" would do.'),
    _('The name has to start with a letter, a digit or an underscore. "{0}" would do.'),
    _('Between slashes there has to be more than dots, and the name may not end with a slash. "{0}" would do.'),
    _("“{0}” is kept for the tool search itself. Choose another name."),
    _("This owner already has a tool of that name."),
    _("There is no tool “{0}”. Create it first, or mend the name."),
    _("There is no group “{0}”. Create it first, or mend the name."),
    _("“{0}” is listed twice. List it once."),
    _("A tool is called “{0}”. Choose another name for the search."),
    _("There is no shared {0} “{1}”. Create it first, or mend the name."),
    _("Give the group a name."),
    _("The name has to be one line without control characters."),
)

TOOLS = (
    _("Name the callback that runs this tool."),
    _("Only a tool that a callback runs has one. Set “run by” to callback, or leave this empty."),
    _("Write a JSON object: {} stands for a tool that takes nothing."),
    _("The schema has {0} bytes; {1} is the most. Shorten it."),
    _("{0} properties are more than {1}."),
    _("Models pass arguments by name: the root must have the type “object”."),
    _('Add "type": "object" to the root: models pass arguments by name.'),
    _("“{0}” points outside this schema. Copy what it names into $defs and point there."),
    _("This is not JSON Schema 2020-12: {0}."),
    _("A $ref leads nowhere: {0}."),
    _("{0}: write a pattern without looking around or back references."),
    _("“{0}” says little. Name what is done to what, like get_order."),
    _("Models choose by the description. Say what it does and when."),
    _("The description only repeats the name. Say what it does and when."),
    _("The text of “{0}” only repeats its name. Say what to put in."),
    _("Without a category and tags the tool is hard to find. Give it one."),
    _("“{0}” differs only in letter case or separators."),
    _("“{0}” has the same description. Say how they differ."),
    _("Not executable: there is no callback “{0}” here. Models do not see the tool."),
    _("Prompts still say “{0}”: of the groups {1}. Mend them too."),
    _("Profiles keep “{0}” out of search by its name: {1}. Mend them too."),
)

CONDITIONS = (
    _("The group applies by its conditions and has none, so it never matches. Add one, or choose “always”."),
    _("There is no matcher named “{0}” here. Install it, or choose “always” or “rules”."),
    _("Number condition sets from 1."),
    _("A group cannot ask about itself. Name a group that stands earlier in the order."),
    _("There is no group “{0}” before this one. Name an earlier group, or change the order."),
    _("Write the name of a group that stands earlier in the order."),
    _("Write which attribute is meant, for example plan or user.plan."),
    _("“{0}” cannot be used with “{1}”. Choose one of: {2}."),
    _("Write at least one keyword, one a line."),
    _("Write at least one value, one a line."),
    _("Write the text that it has to start or end with."),
    _("Write the value to compare with. To ask only whether there is one, use “exists”."),
    _("Write a pattern: an empty one would match every message."),
    _("Write a percentage between 0 and 100 as a number, for example 25 or 0.5."),
    _("Write a number (without quotation marks), or a date such as 2026-01-31 or 2026-01-31T09:00:00+08:00."),
    _("The time is compared with a date such as 2026-01-31 or 2026-01-31T09:00:00+08:00."),
    _("“{0}” is not a time of day. Write hours and minutes from 00:00 to 23:59, for example 09:00."),
    _("“from” and “to” are the same. For a whole day write 00:00 and 24:00."),
    _("The time zone is not known. Write a name such as Asia/Shanghai, or leave it out for UTC."),
    _("“days” is a list of numbers from 1 (Monday) to 7 (Sunday). Leave it out for every day."),
    _("The keyword “{0}” is a single character and is found in very many texts."),
    _(
        "The keyword “{0}” is also found inside longer words, as “order” is in “border”. Tick “whole word” if that is "
        "not meant."
    ),
    _("The conditions are not looked at, since the group applies by “{0}”."),
    _("“Restricts access” has no effect, since the group has conditions on the message only."),
    _("“Restricts access” has no effect, since the group has no conditions."),
    _("This condition is in its set twice. Remove one of them."),
    _("This condition and its opposite are in one set, so the set never matches."),
    _("Two condition sets are opposites, so the group always matches. Choose “always” if that is meant."),
    _("No time zone is named, so the times are UTC. Add “zone”, for example Asia/Shanghai."),
    _("A bracket is opened with “(” and never closed. Close it, or write \\( for the character. ({0})"),
    _(
        "A pattern cannot look ahead or behind: (?=…), (?!…), (?<=…) and (?<!…) are not supported. Use two conditions "
        "in one set, the second one negated."
    ),
)

OTHERS = (
    _("This is the tenant's default profile. Make another the default first."),
    _("This is the tenant's default profile. Make another the default instead."),
    _("Grants name this. Delete or change them first."),
    _("Choose one of: {0}."),
    _('Write a version label, like "2.1".'),
    _("“{0}” is kept for the meta tools."),
    _("Nothing is searchable for this caller."),
    _("Nothing fits. Try other words."),
    _("Nothing that this caller may have fits. These fit and are left out: {0}."),
    _("“{0}” is sent under the name “{1}”."),
    _("Your own tool “{0}” is used; a shared tool of that name is hidden by it."),
    _("Rules saw only the first 64,000 characters of the message."),
    _("The search failed. Try again."),
)

SENTENCES = (*NAMES, *TOOLS, *CONDITIONS, *OTHERS)
"""Whole sentences with their values in them."""

FORMATS = (_("the neutral form"),)
"""Names of formats that are words."""

THEME = (
    _(" By %(filter_title)s "),
    _("Apply Filters"),
    _("Cancel"),
    _("Dark"),
    _("Date"),
    _("Expand row"),
    _("False"),
    _("From"),
    _("General"),
    _("Go back"),
    _("Light"),
    _("Loading more results..."),
    _("More actions"),
    _("Next"),
    _("No data"),
    _("No results found"),
    _("No results matching your query"),
    _("Previous"),
    _("Reset filters"),
    _("Return to site"),
    _("Run"),
    _("Search apps and models..."),
    _("Select action"),
    _("Select action to run"),
    _("Select all rows"),
    _("Select record"),
    _("Select value"),
    _("Submit"),
    _("System"),
    _("This item will be deleted."),
    _("This page yielded into no results. Create a new item or reset your filters."),
    _("To"),
    _("Toggle password visibility"),
    _("True"),
    _("Type to search"),
    _("Value"),
    _("You have been successfully logged out from the administration"),
)
"""What the theme says and has no Chinese for."""
