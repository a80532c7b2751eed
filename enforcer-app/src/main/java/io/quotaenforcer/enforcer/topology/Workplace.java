package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import io.quotaenforcer.schemas.topic.Wire;

/**
 * What every processor works with.
 *
 * @param failed of threads that came before, too
 */
public record Workplace(
    Wire wire,
    RuleBoard rules,
    TopologySettings settings,
    EnforcerMetrics metrics,
    FailedRecords failed) {}
