"""The search providers that come with the product. Others plug in by entry point (see `search.registry`)."""
