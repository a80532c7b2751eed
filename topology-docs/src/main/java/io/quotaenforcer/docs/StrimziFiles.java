package io.quotaenforcer.docs;

import static org.apache.kafka.common.acl.AclOperation.ALL;
import static org.apache.kafka.common.acl.AclOperation.ALTER;
import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;

import io.quotaenforcer.cli.doctor.Role;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topic;
import io.quotaenforcer.schemas.topic.Topics;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.utils.SecurityUtils;

/** Topics and users as resources of Strimzi, as plain manifests and as templates of the chart. */
final class StrimziFiles {
  private static final String NOTE =
      "# Written from the code (%s); a test fails when it differs. To write it anew: %s\n"
          .formatted("`Topics`, `Role`", Pages.COMMAND);

  private final Form form;
  private final StringBuilder text = new StringBuilder();

  /**
   * Either form of the files.
   *
   * @param begin before all resources, likewise {@code end}
   * @param prefix of the topics
   * @param application begins the enforcers' group, transactions and internal topics
   * @param users begins their names
   */
  private record Form(
      String folder,
      String begin,
      String end,
      String cluster,
      String partitions,
      String replicas,
      String inSync,
      String prefix,
      String application,
      String users) {}

  private static final Form PLAIN =
      new Form(
          "../ops/kubernetes/",
          "",
          "",
          "kafka",
          Integer.toString(Topics.DEFAULT_PARTITIONS),
          "3",
          "\"2\"",
          Topics.DEFAULT_PREFIX,
          "quota-enforcer",
          "quota");

  private static final Form CHART =
      new Form(
          "../ops/helm/quota-enforcer/templates/",
          "{{- if .Values.strimzi.%s }}\n"
              + variable("prefix", "topic.prefix", Topics.DEFAULT_PREFIX)
              + variable("application", "application.id", "quota-enforcer"),
          "{{- end }}\n",
          "{{ .Values.strimzi.cluster }}",
          "{{ .Values.topics.partitions }}",
          "{{ .Values.topics.replicationFactor }}",
          "{{ min 2 .Values.topics.replicationFactor | quote }}",
          "{{ $prefix }}",
          "{{ $application }}",
          "{{ .Release.Name }}");

  private StrimziFiles(Form form) {
    this.form = form;
  }

  static List<Page> write() {
    return List.of(
        new StrimziFiles(PLAIN).topics(),
        new StrimziFiles(PLAIN).users(),
        new StrimziFiles(CHART).topics(),
        new StrimziFiles(CHART).users());
  }

  private static String variable(String name, String setting, String otherwise) {
    return "{{- $%s := get .Values.enforcer.settings \"%s\" | default \"%s\" }}\n"
        .formatted(name, setting, otherwise);
  }

  private Page topics() {
    begin("topics");
    Topics.under(Topics.DEFAULT_PREFIX, Topics.DEFAULT_PARTITIONS, Codecs.withoutRegistry())
        .all()
        .forEach(this::topic);
    return to("kafka-topics.yaml");
  }

  private void topic(Topic<?, ?> topic) {
    resource("KafkaTopic", form.prefix() + bare(topic.name()), topic.about().doc());
    line("spec:");
    boolean isOne = topic.partitions() == 1;
    line("  partitions: " + (isOne ? "1" : form.partitions()));
    line("  replicas: " + form.replicas());
    line("  config:");
    line("    min.insync.replicas: " + form.inSync());
    new TreeMap<>(topic.config()).forEach((key, value) -> line("    %s: \"%s\"", key, value));
  }

  private Page users() {
    begin("users");
    user(
        "enforcer", "Counts and grants, and changes for operators what they may change over HTTP.");
    rolesTopics(Role.OPERATED);
    acl("topic", form.application(), true, Set.of(ALL));
    acl("topic", "__consumer_offsets", false, Set.of(READ));
    acl("group", form.application(), true, Set.of(READ));
    acl("transactionalId", form.application(), true, Set.of(DESCRIBE, WRITE));
    rolesTransactions(Role.OPERATED);
    cluster(Set.of(ALTER, DESCRIBE_CONFIGS));
    user("gateway", "A service with an admission client, such as a gateway.");
    rolesTopics(Role.SERVICE);
    user("publisher", "Who changes rules.");
    rolesTopics(Role.PUBLISHER);
    rolesTransactions(Role.PUBLISHER);
    user("topics", "Runs `quota topics create`.");
    acl("topic", form.prefix(), true, Set.of(CREATE, DESCRIBE, DESCRIBE_CONFIGS));
    acl("topic", form.prefix() + "rules", false, Set.of(READ, WRITE));
    cluster(Set.of(DESCRIBE, DESCRIBE_CONFIGS));
    return to("kafka-users.yaml");
  }

  private void user(String role, String doc) {
    resource("KafkaUser", form.users() + "-" + role, doc);
    line("spec:");
    line("  authentication:");
    line("    type: scram-sha-512");
    line("  authorization:");
    line("    type: simple");
    line("    acls:");
  }

  private void rolesTopics(Role role) {
    role.topics().forEach((topic, needed) -> acl("topic", form.prefix() + topic, false, needed));
  }

  private void rolesTransactions(Role role) {
    role.transactions()
        .forEach(id -> acl("transactionalId", form.prefix() + id, false, Set.of(DESCRIBE, WRITE)));
  }

  private void acl(String type, String name, boolean begins, Set<AclOperation> operations) {
    line("      - resource:");
    line("          type: " + type);
    line("          name: " + name);
    line("          patternType: " + (begins ? "prefix" : "literal"));
    operations(operations);
  }

  private void cluster(Set<AclOperation> operations) {
    line("      - resource:");
    line("          type: cluster");
    operations(operations);
  }

  private void operations(Set<AclOperation> operations) {
    Set<String> names = new TreeSet<>();
    operations.forEach(operation -> names.add(SecurityUtils.operationName(operation)));
    line("        operations: [%s]", String.join(", ", names));
  }

  private void begin(String value) {
    text.append(NOTE).append(form.begin().formatted(value));
  }

  private void resource(String kind, String name, String doc) {
    line("---");
    line("# " + doc);
    line("apiVersion: kafka.strimzi.io/v1");
    line("kind: " + kind);
    line("metadata:");
    line("  name: " + name);
    line("  labels:");
    line("    strimzi.io/cluster: " + form.cluster());
  }

  private Page to(String file) {
    return new Page(form.folder() + file, text + form.end());
  }

  private static String bare(String topic) {
    return topic.substring(Topics.DEFAULT_PREFIX.length());
  }

  private void line(String line, Object... arguments) {
    text.append(arguments.length == 0 ? line : line.formatted(arguments)).append('\n');
  }
}
