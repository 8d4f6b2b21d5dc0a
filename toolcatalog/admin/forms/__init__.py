"""Forms of the admin: they read documents from what curators typed, and let the services check and save them."""
