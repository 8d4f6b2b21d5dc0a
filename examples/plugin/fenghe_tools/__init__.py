"""Tools of the imaginary Fenghe Group: callbacks, a context enricher and a matcher for Tool Catalog."""
