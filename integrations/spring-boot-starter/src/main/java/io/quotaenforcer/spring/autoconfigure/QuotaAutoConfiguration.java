package io.quotaenforcer.spring.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;

/**
 * An {@link io.quotaenforcer.client.Admission}: the service's own bean if there is one; otherwise
 * by the rules of {@code quota.standalone.rules}, in this process alone; otherwise an admission
 * client that shares the service's connection to Kafka.
 */
@AutoConfiguration(after = {Boot3KafkaConnection.class, Boot4KafkaConnection.class})
@ConditionalOnQuota
@EnableConfigurationProperties(QuotaProperties.class)
@Import({StandaloneConfiguration.class, ClientConfiguration.class})
public class QuotaAutoConfiguration {}
