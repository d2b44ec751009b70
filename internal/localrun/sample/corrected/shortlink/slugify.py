"""Readable slugs from page titles."""

import re

MAX_TITLE = 200
OTHERS = re.compile(r"[^a-z0-9]+")


def slugify(title: str) -> str:
    """Return a URL-safe slug; raise ValueError if the title has none."""
    if len(title) > MAX_TITLE:
        raise ValueError(f"title is longer than {MAX_TITLE} characters: {title[:20]!r}")
    slug = OTHERS.sub("-", title.lower()).strip("-")
    if not slug:
        raise ValueError(f"title has no letter or digit: {title!r}")
    return slug
