"""A verified release to the Hub; nothing else writes there.

`prepared` makes the folder that is published; `publishing` uploads it, reads it again, and tags it only then;
`latest` brings the default branch up to date; `withdrawal` announces what has to go.
"""
