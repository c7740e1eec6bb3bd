NUMERIC = ("age", "income")
CATEGORICAL = {"city": 5, "plan": 3}
LABEL = "churn"
