"""Request events for a quota enforcer (``events``), and decisions of its gateway (``decisions``)."""
