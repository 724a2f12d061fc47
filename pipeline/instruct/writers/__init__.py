"""Who writes instructions: peers behind the protocol `Writer` of `pipeline.instruct.drafts`."""
