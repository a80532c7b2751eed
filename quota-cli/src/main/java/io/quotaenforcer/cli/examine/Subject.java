package io.quotaenforcer.cli.examine;

import io.quotaenforcer.cli.doctor.Role;
import io.quotaenforcer.enforcer.clock.HostClocks;
import io.quotaenforcer.enforcer.config.EnforcerConfig;
import java.net.URI;
import java.time.Duration;

/**
 * What is examined.
 *
 * @param config of its enforcers
 * @param role whose rights are looked at
 * @param connectTimeout how long Kafka may take to answer
 * @param enforcer HTTP address of any enforcer
 * @param version of this program
 * @param clocks of this host
 */
public record Subject(
    EnforcerConfig config,
    Role role,
    Duration connectTimeout,
    URI enforcer,
    String version,
    HostClocks clocks) {}
