package io.quotaenforcer.docs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.streams.TopologyDescription.Node;
import org.apache.kafka.streams.TopologyDescription.Processor;
import org.apache.kafka.streams.TopologyDescription.Sink;
import org.apache.kafka.streams.TopologyDescription.Source;
import org.apache.kafka.streams.TopologyDescription.Subtopology;

/**
 * A topology as a Mermaid flowchart: topics are rounded, stores are cylinders, and a box around
 * processors is a sub-topology. Sources and sinks are drawn as the topics that they read and write.
 */
final class TopologyGraph {
  private final Set<String> topics = new TreeSet<>();
  private final Set<String> stores = new TreeSet<>();
  private final List<String> edges = new ArrayList<>();
  private final StringBuilder boxes = new StringBuilder();

  private TopologyGraph() {}

  static String of(List<Subtopology> parts) {
    TopologyGraph graph = new TopologyGraph();
    parts.forEach(graph::add);
    StringBuilder text = new StringBuilder("flowchart LR\n");
    graph.topics.forEach(topic -> text.append("  %s([\"%s\"])\n".formatted(topicId(topic), topic)));
    text.append(graph.boxes);
    graph.edges.forEach(edge -> text.append("  ").append(edge).append('\n'));
    return text.toString();
  }

  /** The nodes of a part, by name. */
  static List<Node> nodes(Subtopology part) {
    return part.nodes().stream().sorted(Comparator.comparing(Node::name)).toList();
  }

  private void add(Subtopology part) {
    boxes.append("  subgraph part%d[\"sub-topology %d\"]\n".formatted(part.id(), part.id()));
    for (Node node : nodes(part)) {
      if (node instanceof Source source) {
        for (String topic : new TreeSet<>(source.topicSet())) {
          topics.add(topic);
          source.successors().stream()
              .map(Node::name)
              .sorted()
              .forEach(next -> edges.add(topicId(topic) + " --> " + next));
        }
      } else if (node instanceof Sink sink) {
        topics.add(sink.topic());
        sink.predecessors().stream()
            .map(Node::name)
            .sorted()
            .forEach(before -> edges.add(before + " --> " + topicId(sink.topic())));
      } else if (node instanceof Processor processor) {
        add(processor);
      }
    }
    boxes.append("  end\n");
  }

  private void add(Processor processor) {
    boxes.append("    %s[\"%s\"]\n".formatted(processor.name(), processor.name()));
    for (String store : new TreeSet<>(processor.stores())) {
      if (stores.add(store)) {
        boxes.append("    store-%s[(\"%s\")]\n".formatted(store, store));
      }
      edges.add(processor.name() + " --- store-" + store);
    }
    processor.successors().stream()
        .filter(Processor.class::isInstance)
        .map(Node::name)
        .sorted()
        .forEach(next -> edges.add(processor.name() + " --> " + next));
  }

  private static String topicId(String topic) {
    return "topic-" + topic.replace('.', '-');
  }
}
