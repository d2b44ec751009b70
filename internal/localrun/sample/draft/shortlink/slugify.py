"""Readable slugs from page titles."""

import re

MAX_TITLE = 200


def slugify(title: str) -> str:
    """Return a URL-safe slug; raise ValueError if the title has none."""
    if len(title) > MAX_TITLE:
        raise ValueError(f"title is longer than {MAX_TITLE} characters: {title[:20]!r}")
    slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
    if not slug:
        raise ValueError(f"title has no letter or digit: {title!r}")
    return slug
