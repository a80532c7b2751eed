package io.quotaenforcer.spring.autoconfigure;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.kafka.KafkaConnectionDetails;
import org.springframework.context.annotation.Bean;

/** Spring Boot 3's connection to Kafka, such as that of a test's container. */
@AutoConfiguration(
    afterName = "org.springframework.boot.autoconfigure.kafka.KafkaAutoConfiguration")
@ConditionalOnQuota
@ConditionalOnClass(KafkaConnectionDetails.class)
class Boot3KafkaConnection {

  @Bean
  FoundConnection quotaKafkaConnection(ObjectProvider<KafkaConnectionDetails> known) {
    return () ->
        KafkaDetails.settings(
            known.getIfUnique(),
            KafkaConnectionDetails::getBootstrapServers,
            KafkaConnectionDetails::getSecurityProtocol,
            KafkaConnectionDetails::getSslBundle);
  }
}
