"""What makes the documentation beside the pages themselves: the site, the reference of settings, the pictures."""
