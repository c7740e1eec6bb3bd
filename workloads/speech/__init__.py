"""A text-to-mel trainer that is traced once per batch shape, and speaks."""
