"""Reads flow.json, sweep.json and flow.csv as a user of rheofit and pandas would."""
import pandas
from rheofit import io

steps = io.discover_steps("flow.json")
assert [step["test_type"] for step in steps] == ["flow_curve"], steps
flow = io.load_step("flow.json", 0)
table = pandas.read_csv("flow.csv")
assert len(flow) == len(table) == 5
for column, other in (("Shear rate / 1/s", "Shear rate (1/s)"), ("Stress / Pa", "Shear stress (Pa)")):
    assert abs(flow[column] / table[other] - 1).max() < 1e-6, column
assert (abs(table["Shear stress (Pa)"] / table["Shear stress of the law (Pa)"] - 1) < 0.005).all()

assert io.discover_steps("sweep.json")[0]["test_type"] == "frequency_sweep"
sweep = io.load_step("sweep.json", 0)
assert (sweep["Storage modulus / Pa"] > 0).all() and (sweep["Loss modulus / Pa"] > 0).all()
print("read by rheofit and pandas")
