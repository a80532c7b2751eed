package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.cli.doctor.Role;
import io.quotaenforcer.enforcer.deadletters.Redrive;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.utils.SecurityUtils;
import org.junit.jupiter.api.Test;

/** What an enforcer may, as running.md has it, is what the doctor and Strimzi's users have. */
class AclsTest {
  private static final Pattern TOPIC = Pattern.compile("`quota\\.([a-z-]+)`");

  @Test
  void enforcersTopics_areThoseOfThePage() {
    String[] parts = row("| enforcer | ").split("; ");

    assertThat(parts[0]).contains("`Read` on");
    assertThat(topics(parts[0])).isEqualTo(allowed(AclOperation.READ));
    assertThat(parts[1]).startsWith("`Write` on");
    assertThat(topics(parts[1])).isEqualTo(allowed(AclOperation.WRITE));
    assertThat(parts[2]).startsWith("`DescribeConfigs` on all of them");
    assertThat(Role.ENFORCER.topics().values())
        .allMatch(operations -> operations.contains(AclOperation.DESCRIBE_CONFIGS));
  }

  @Test
  void topicsAndTransactionsOfWhatOperatorsChange_areThoseOfThePage_besideTheEnforcers() {
    String[] parts = row("| enforcer with [an API for operators]").split("; ");

    assertThat(parts[1]).contains("`Read` on");
    assertThat(topics(parts[1])).isEqualTo(allowedBeside(AclOperation.READ));
    assertThat(parts[2]).startsWith("`Write` on");
    assertThat(topics(parts[2])).isEqualTo(allowedBeside(AclOperation.WRITE));
    assertThat(parts[4]).startsWith("`Write` on the transactional ids");
    assertThat(topics(parts[4])).isEqualTo(new TreeSet<>(Role.OPERATED.transactions()));
  }

  /** Whatever an operator may have changed, the enforcer does it with its own rights. */
  @Test
  void strimzisEnforcer_mayWriteWhatOperatorsChange() throws IOException {
    String users = Files.readString(Path.of("../ops/kubernetes/kafka-users.yaml"));
    String enforcer = users.substring(0, users.indexOf("name: quota-gateway"));
    Role.OPERATED
        .topics()
        .forEach(
            (topic, operations) ->
                assertThat(enforcer)
                    .contains(
                        "name: quota.%s\n          patternType: literal\n        operations: [%s]"
                            .formatted(
                                topic,
                                operations.stream()
                                    .map(SecurityUtils::operationName)
                                    .sorted()
                                    .collect(Collectors.joining(", ")))));
    assertThat(enforcer)
        .contains(
            "type: transactionalId\n          name: quota.rules\n",
            "type: transactionalId\n          name: quota.dead-letters\n");
  }

  /** An operator may redrive to whatever takes letters back. */
  @Test
  void operated_mayWriteToTopicsThatTakeLettersBack() {
    Topics topics = Topics.under(Topics.DEFAULT_PREFIX, 1, Codecs.withoutRegistry());
    assertThat(allowed(Role.OPERATED, AclOperation.WRITE))
        .containsAll(
            Redrive.takingBack(topics).stream()
                .map(name -> name.substring(Topics.DEFAULT_PREFIX.length()))
                .toList())
        .containsAll(allowed(Role.PUBLISHER, AclOperation.WRITE));
  }

  private static String row(String begin) {
    return MarkdownFile.read("topology-docs/running.md")
        .text()
        .lines()
        .filter(line -> line.startsWith(begin))
        .findFirst()
        .orElseThrow();
  }

  private static Set<String> topics(String text) {
    return TOPIC
        .matcher(text)
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> allowed(AclOperation operation) {
    return allowed(Role.ENFORCER, operation);
  }

  private static Set<String> allowedBeside(AclOperation operation) {
    Set<String> more = allowed(Role.OPERATED, operation);
    more.removeAll(allowed(Role.ENFORCER, operation));
    return more;
  }

  private static Set<String> allowed(Role role, AclOperation operation) {
    return role.topics().entrySet().stream()
        .filter(topic -> topic.getValue().contains(operation))
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
