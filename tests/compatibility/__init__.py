"""What programs that read our JSON rely on: fields, versions, and the findings of the samples."""
