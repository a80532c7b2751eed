package io.quotaenforcer.enforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.enforcer.rules.LogFailures.Aftermath;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.Test;

class LogFailuresTest {
  private final LogFailures failures =
      new LogFailures(Map.of("bootstrap.servers", "broker:9092"), Duration.ofSeconds(8));

  @Test
  void kafkaThatDoesNotAnswer_isUnreachable() {
    RulesException late = failed(new TimeoutException("no leader"));

    assertThat(ExitCode.of(late)).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(late)
        .hasMessageStartingWith("no answer within 8 s: could not write topic quota.rules")
        .hasMessageEndingWith("; it may have been written: look at the rules");
    assertThat(ExitCode.of(failures.stalled("quota.rules", 2, 5))).isEqualTo(ExitCode.UNREACHABLE);
  }

  @Test
  void transactionThatEndsSinceKafkaDidNotAnswer_isUnreachable() {
    RulesException ended =
        failed(new KafkaException("in an error state", new TimeoutException("no leader")));

    assertThat(ExitCode.of(ended)).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(ended).hasMessageStartingWith("no answer within 8 s");
  }

  @Test
  void answerThatIsNo_isAFailure() {
    assertThat(ExitCode.of(failed(new TopicAuthorizationException("quota.rules"))))
        .isEqualTo(ExitCode.FAILED);
    assertThat(ExitCode.of(failed(new UnknownTopicOrPartitionException("quota.rules"))))
        .isEqualTo(ExitCode.FAILED);
  }

  private RulesException failed(Throwable cause) {
    return failures.failed("write", "quota.rules", Aftermath.UNKNOWN, cause);
  }
}
