from dataclasses import dataclass


@dataclass(frozen=True)
class FedConfig:
    n_clients: int = 20
    rounds: int = 3
    clients_per_round: int = 12
    context: int = 6
    alphabet: str = " abcdefghijklmnopqrstuvwxyz"
    embed: int = 8
    hidden: int = 24
    lr: float = 0.1
    batch: int = 32

    @property
    def n_chars(self):
        return len(self.alphabet)
