package io.quotaenforcer.enforcer.query;

/** All that an enforcer can be asked. */
public record EnforcerQueries(
    UsageQuery usage, DeferredQuery deferred, PenaltiesQuery penalties, EnforcersQuery enforcers) {}
