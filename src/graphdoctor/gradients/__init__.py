"""Tape or graph → why this gradient is None, for those who ask in their own program.

What hears of operations and finds the reason is `observer/gradients/`, because `graphdoctor run` needs
it inside programs whose environment holds neither graphdoctor nor its dependencies.
"""
