package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.cli.doctor.Role;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.Test;

/** What an enforcer may, as running.md has it, is what the doctor and Strimzi's users have. */
class AclsTest {
  private static final Pattern TOPIC = Pattern.compile("`quota\\.([a-z-]+)`");

  @Test
  void enforcersTopics_areThoseOfThePage() {
    String row =
        MarkdownFile.read("topology-docs/running.md")
            .text()
            .lines()
            .filter(line -> line.startsWith("| enforcer | "))
            .findFirst()
            .orElseThrow();
    String[] parts = row.split("; ");

    assertThat(parts[0]).contains("`Read` on");
    assertThat(topics(parts[0])).isEqualTo(allowed(AclOperation.READ));
    assertThat(parts[1]).startsWith("`Write` on");
    assertThat(topics(parts[1])).isEqualTo(allowed(AclOperation.WRITE));
    assertThat(parts[2]).startsWith("`DescribeConfigs` on all of them");
    assertThat(Role.ENFORCER.topics().values())
        .allMatch(operations -> operations.contains(AclOperation.DESCRIBE_CONFIGS));
  }

  private static Set<String> topics(String text) {
    return TOPIC
        .matcher(text)
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> allowed(AclOperation operation) {
    return Role.ENFORCER.topics().entrySet().stream()
        .filter(topic -> topic.getValue().contains(operation))
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
