SETTINGS = dict(width=8, projection=4, temperature=0.5, batch=16, epochs=2, queue=32)
