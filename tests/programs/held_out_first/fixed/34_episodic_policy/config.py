from types import SimpleNamespace

cfg = SimpleNamespace(state=3, actions=2, gamma=0.95, episodes=14, max_steps=40, rate=0.02, seed=34)
