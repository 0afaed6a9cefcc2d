"""What to do at a table and why: the advisor, what actions are worth, beliefs about hands, reviews.

People, autoplay, dry runs and pages ask the advisor.
"""
