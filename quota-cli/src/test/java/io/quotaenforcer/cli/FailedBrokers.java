package io.quotaenforcer.cli;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.quotaenforcer.enforcer.config.KafkaConnection;
import io.quotaenforcer.enforcer.topics.Brokers;
import io.quotaenforcer.enforcer.topics.BrokersException;
import java.time.Duration;

/** What commands get where no broker is. */
final class FailedBrokers {
  static final String MESSAGE = "cannot reach Kafka at no-such-host.invalid:9092";

  private FailedBrokers() {}

  static BrokersException failure() {
    return catchThrowableOfType(
        BrokersException.class,
        () ->
            Brokers.connect(
                KafkaConnection.to("no-such-host.invalid:9092", "the test"),
                Duration.ofSeconds(2)));
  }
}
