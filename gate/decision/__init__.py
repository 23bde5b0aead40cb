"""The pure judgement: from a run and a baseline to rows, licences and a verdict."""
