package io.quotaenforcer.client.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.schemas.codec.CodecException;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.codec.SchemaRegistry;
import io.quotaenforcer.schemas.topic.Identity;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

class ReporterTest {
  private static final long NOW = 1_000_000_000L;
  private static final int PARTITIONS = 16;
  private static final RuleId RULE = new RuleId("posts", "per-user");
  private static final int USERS = 20;

  private final AllotmentBook book = new AllotmentBook(BookSettings.defaults(), 10, 0);

  @Test
  void registryAway_eachReportFailsByItself() {
    book.applyPrefix(new PrefixInfo(PARTITIONS, QuotaKey.HASH_VERSION, 10), NOW);
    Rule rule =
        Rule.of(RULE, List.of("user"), new SlidingWindow(100, 1_000_000_000L)).withVersion(1, 1);
    book.applyRules(RuleSet.of(List.of(rule)), NOW);
    for (int user = 0; user < USERS; user++) {
      book.decide(Request.of("user", "u" + user), NOW);
    }
    List<Exception> failures = new ArrayList<>();
    Reporter reporter =
        new Reporter(
            new Identity("i", 1),
            book,
            Wire.of("quota.", Codecs.with(new AwayRegistry())),
            Map.of("bootstrap.servers", "127.0.0.1:1"),
            () -> NOW,
            new ClientTelemetry() {
              @Override
              public void failed(String what, Exception cause) {
                failures.add(cause);
              }
            },
            new KafkaPresence(List.of(), address -> true));

    reporter.reportDue();
    reporter.close(Duration.ZERO);

    long partitions =
        IntStream.range(0, USERS)
            .map(user -> QuotaKey.of(RULE, List.of("u" + user)).partition(PARTITIONS))
            .distinct()
            .count();
    assertThat(partitions).isGreaterThan(1);
    assertThat(failures).hasSize((int) partitions).hasOnlyElementsOfType(CodecException.class);
  }

  private static final class AwayRegistry implements SchemaRegistry {
    @Override
    public int idOf(String subject, Schema schema) {
      throw new CodecException(CodecException.Reason.REGISTRY_UNAVAILABLE, "away");
    }

    @Override
    public Schema schemaOf(int id) {
      throw new CodecException(CodecException.Reason.REGISTRY_UNAVAILABLE, "away");
    }

    @Override
    public String location() {
      return "nowhere";
    }

    @Override
    public void close() {}
  }
}
