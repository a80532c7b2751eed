package io.quotaenforcer.docs;

import static io.quotaenforcer.docs.Markdown.code;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quotaenforcer.core.ledger.LedgerSettings;
import io.quotaenforcer.enforcer.activity.ActivityBoard;
import io.quotaenforcer.enforcer.config.EnforcerSettings;
import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import io.quotaenforcer.enforcer.store.Stores;
import io.quotaenforcer.enforcer.topology.BeforeCommit;
import io.quotaenforcer.enforcer.topology.EnforcerTopology;
import io.quotaenforcer.enforcer.topology.FailedRecords;
import io.quotaenforcer.enforcer.topology.HandOver;
import io.quotaenforcer.enforcer.topology.RuleBoard;
import io.quotaenforcer.enforcer.topology.SnapshotChannel;
import io.quotaenforcer.enforcer.topology.TopologySettings;
import io.quotaenforcer.enforcer.topology.Workplace;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyDescription.Node;
import org.apache.kafka.streams.TopologyDescription.Processor;
import org.apache.kafka.streams.TopologyDescription.Sink;
import org.apache.kafka.streams.TopologyDescription.Source;
import org.apache.kafka.streams.TopologyDescription.Subtopology;

/** The graph of the topology, and what its parts read, keep and write. */
final class TopologyPage {
  private static final int ANY_MAX_INSTANCES = 100;

  private TopologyPage() {}

  static Page write() {
    List<Subtopology> parts =
        topology().describe().subtopologies().stream()
            .sorted(Comparator.comparingInt(Subtopology::id))
            .toList();
    Markdown page =
        Markdown.page("Topology of the enforcer", "`EnforcerTopology`, by `Topology#describe()`")
            .paragraph(
                "A task of a sub-topology works on one partition of its input topics, with stores"
                    + " of its own. [protocol.md](protocol.md) says what is done in it,"
                    + " [topics.md](topics.md) what the topics carry.")
            .block("mermaid", TopologyGraph.of(parts))
            .paragraph(
                "Quota snapshots do not pass through the graph: `ledger-processor` sends them to"
                    + " `quota.snapshots` through a producer beside it (`KafkaSnapshotChannel`),"
                    + " without waiting for the transaction.")
            .heading("Processors")
            .table(
                List.of("sub-topology", "processor", "reads", "keeps", "writes"),
                parts.stream().flatMap(part -> processors(part).stream()).toList())
            .heading("Stores")
            .paragraph(
                ("In RocksDB, each with a changelog topic that Kafka Streams creates and owns; the"
                        + " names begin with `application.id`, by default `%s`. Entitlements and"
                        + " limits in force are kept as they are in their topics, which are their"
                        + " changelogs.")
                    .formatted(applicationId()))
            .table(
                List.of("store", "changelog"),
                parts.stream().flatMap(part -> stores(part).stream()).toList());
    return page.to("topology.md");
  }

  private static Topology topology() {
    Wire wire =
        Wire.of(
            Topics.under(
                Topics.DEFAULT_PREFIX, Topics.DEFAULT_PARTITIONS, Codecs.withoutRegistry()));
    TopologySettings settings =
        TopologySettings.defaults(
            Topics.DEFAULT_PARTITIONS, LedgerSettings.defaults(ANY_MAX_INSTANCES), () -> 0);
    return EnforcerTopology.build(
        new Workplace(
            wire,
            new RuleBoard(),
            settings,
            new EnforcerMetrics(new SimpleMeterRegistry()),
            new FailedRecords(),
            new ActivityBoard()),
        new Unconnected(),
        key -> {
          throw new IllegalStateException("not connected");
        },
        new HandOver("quota.usage"),
        new BeforeCommit());
  }

  /** The graph is only drawn. */
  private static final class Unconnected implements SnapshotChannel {
    @Override
    public long commits() {
      return 0;
    }

    @Override
    public long transactionNanos() {
      return 0;
    }

    @Override
    public boolean isCommitDue() {
      return false;
    }

    @Override
    public void send(int partition, byte[] key, byte[] value) {
      throw new IllegalStateException("not connected");
    }
  }

  private static List<List<String>> processors(Subtopology part) {
    List<List<String>> rows = new ArrayList<>();
    for (Node node : TopologyGraph.nodes(part)) {
      if (node instanceof Processor processor) {
        rows.add(
            List.of(
                Integer.toString(part.id()),
                code(processor.name()),
                node.predecessors().stream()
                    .flatMap(TopologyPage::origins)
                    .sorted()
                    .map(Markdown::code)
                    .collect(Collectors.joining(", ")),
                processor.stores().stream()
                    .sorted()
                    .map(Markdown::code)
                    .collect(Collectors.joining(", ")),
                node.successors().stream()
                    .map(next -> next instanceof Sink sink ? sink.topic() : next.name())
                    .sorted()
                    .map(Markdown::code)
                    .collect(Collectors.joining(", "))));
      }
    }
    return rows;
  }

  /** The topics of a source, or a processor itself. */
  private static Stream<String> origins(Node node) {
    return node instanceof Source source ? source.topicSet().stream() : Stream.of(node.name());
  }

  private static List<List<String>> stores(Subtopology part) {
    return TopologyGraph.nodes(part).stream()
        .filter(Processor.class::isInstance)
        .flatMap(node -> ((Processor) node).stores().stream())
        .distinct()
        .sorted()
        .map(store -> List.of(code(store), code(changelog(store))))
        .toList();
  }

  private static String changelog(String store) {
    return store.equals(Stores.ENTITLEMENTS) || store.equals(Stores.LIMITS_IN_FORCE)
        ? Topics.DEFAULT_PREFIX + store
        : Stores.changelog(applicationId(), store);
  }

  private static String applicationId() {
    return EnforcerSettings.ALL.all().stream()
        .filter(setting -> setting.key().equals("application.id"))
        .findFirst()
        .orElseThrow()
        .defaultText()
        .orElseThrow();
  }
}
