from harbour.filters import TideFilter

__all__ = ["TideFilter"]
