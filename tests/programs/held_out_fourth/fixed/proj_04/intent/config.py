WORDS = ["play", "stop", "music", "light", "lamp", "on", "off", "please"]
INTENTS = ["music", "light"]
LENGTH = 4
WIDTH = 8
