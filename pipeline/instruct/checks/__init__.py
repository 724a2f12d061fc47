"""The gate: rules on what an instruction must tell, and on the inputs and examples that it stands on."""
