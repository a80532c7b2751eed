package io.quotaenforcer.cli.doctor;

import static io.quotaenforcer.cli.doctor.Finding.Level.OK;
import static io.quotaenforcer.cli.doctor.Finding.Level.PROBLEM;
import static io.quotaenforcer.cli.doctor.Finding.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.cli.doctor.BrokerFacts.Lacking;
import io.quotaenforcer.cli.doctor.DiskFacts.Disk;
import io.quotaenforcer.cli.doctor.Finding.Check;
import io.quotaenforcer.cli.doctor.Finding.Level;
import io.quotaenforcer.cli.doctor.Reach.Answer;
import io.quotaenforcer.cli.doctor.Reach.Port;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Every finding but those of the fleet: what makes it, and the remedy that it names. */
class FindingsTest {
  @Test
  void brokers_thatAllTakeConnections_areWell() {
    expect(reached(Answer.ACCEPTS), OK, Check.CONNECTION, "the only broker", "kafka:9092");
    expect(reached(Answer.ACCEPTS, Answer.ACCEPTS), OK, Check.CONNECTION, "all 2 brokers of Kafka");
  }

  @Test
  void broker_thatAdvertisesADeadAddress_isNamedWithItsListener() {
    expect(
        reached(Answer.ACCEPTS, Answer.REFUSES),
        PROBLEM,
        Check.CONNECTION,
        "b1:9092",
        "nothing listens there",
        "correct its advertised.listeners");
  }

  @ParameterizedTest
  @CsvSource({
    "REFUSES, start the broker",
    "SILENT, firewall",
    "UNKNOWN_HOST, correct the name",
    "ACCEPTS, another security.protocol"
  })
  void server_thatGivesNoKafka_isNamedByWhatItsPortDoes(Answer answer, String remedy) {
    List<Finding> findings =
        new Reach.Failed("cannot reach Kafka", List.of(new Port("kafka:9092", answer))).findings();

    assertThat(findings).extracting(Finding::level).containsOnly(PROBLEM);
    assertThat(findings.get(0).text()).isEqualTo("cannot reach Kafka");
    assertThat(findings.get(1).text()).contains("kafka:9092", remedy);
  }

  @Test
  void cluster_thatIsAsItShould_isWell() {
    expect(
        new BrokerFacts(30, Optional.empty(), List.of()).findings(),
        OK,
        Check.BROKERS,
        "Kafka 4.3",
        "transactions of version 2");
  }

  @Test
  void transactions_thatAreUnsafe_areAProblem() {
    expect(
        new BrokerFacts(22, Optional.of("transaction.version=1, upgrade"), List.of()).findings(),
        PROBLEM,
        Check.BROKERS,
        "transaction.version=1, upgrade");
  }

  @Test
  void partition_belowItsLeastReplicas_isAProblem_oneBehindAWarning() {
    Lacking stopped = new Lacking("quota.usage", 3, true, 1, 3, 2);
    Lacking leaderless = new Lacking("quota.usage", 4, false, 2, 3, 2);
    Lacking behind = new Lacking("quota.rules", 0, true, 2, 3, 2);

    List<Finding> findings =
        new BrokerFacts(30, Optional.empty(), List.of(stopped, leaderless, behind)).findings();

    assertThat(findings).extracting(Finding::level).containsExactly(OK, PROBLEM, WARNING);
    assertThat(findings.get(1).text())
        .contains(
            "quota.usage, partition 3 (1 of 3 replicas in sync, needs 2) and 1 other partition",
            "start them");
    assertThat(findings.get(2).text()).contains("quota.rules, partition 0", "start the missing");
    expect(
        new BrokerFacts(30, Optional.empty(), List.of(leaderless)).findings().subList(1, 2),
        PROBLEM,
        Check.BROKERS,
        "partition 4 (no leader)");
  }

  @ParameterizedTest
  @CsvSource({"21, 3", "22, 4.0", "27, 4.1", "29, 4.2", "31, newer than 4.3", "0, of an unknown"})
  void release_isKnownByItsMetadata(int level, String release) {
    assertThat(BrokerFacts.release(level)).startsWith(release);
  }

  @Test
  void topics_errorsAreProblems_warningsWarnings_elseTheSummary() {
    TopicFacts well = new TopicFacts("all well", List.of(), List.of(), List.of());
    TopicFacts ill = new TopicFacts("", List.of("e"), List.of("w"), List.of("forgotten"));

    expect(well.findings().subList(0, 1), OK, Check.TOPICS, "all well");
    expect(well.findings().subList(1, 2), OK, Check.OFFSETS, "how far");
    assertThat(ill.findings())
        .containsExactly(
            Finding.problem(Check.TOPICS, "e"),
            Finding.warning(Check.TOPICS, "w"),
            Finding.problem(Check.OFFSETS, "forgotten"));
  }

  @Test
  void rights_thatAreMissing_areNamedWithTheCommandThatAddsThem() {
    Set<AclOperation> needed = EnumSet.of(AclOperation.READ, AclOperation.DESCRIBE_CONFIGS);
    Rights rights =
        new Rights(
            "enforcer",
            List.of(
                new Rights.Asked("topic quota.usage", needed, Set.of(AclOperation.READ)),
                new Rights.Asked("topic quota.rules", needed, Set.of(AclOperation.ALL)),
                new Rights.Asked("group g", Set.of(AclOperation.READ), Set.of())));

    assertThat(rights.findings()).extracting(Finding::level).containsExactly(PROBLEM, PROBLEM);
    assertThat(rights.findings().get(0).text())
        .contains(
            "does not allow DescribeConfigs on topic quota.usage, which the role enforcer needs",
            "--operation DescribeConfigs --topic quota.usage");
    assertThat(rights.findings().get(1).text()).contains("--operation Read --group g");
    expect(
        new Rights("events", List.of()).findings(), OK, Check.RIGHTS, "all that the role events");
  }

  @ParameterizedTest
  @EnumSource(Role.class)
  void role_needsSomething(Role role) {
    assertThat(role.topics()).isNotEmpty();
    assertThat(role.topics().values()).allSatisfy(needed -> assertThat(needed).isNotEmpty());
  }

  @Test
  void enforcer_readsReports_andWritesAnswers() {
    assertThat(Role.ENFORCER.topics())
        .containsEntry(
            "snapshots",
            Set.of(AclOperation.READ, AclOperation.WRITE, AclOperation.DESCRIBE_CONFIGS))
        .containsEntry("usage", Set.of(AclOperation.READ, AclOperation.DESCRIBE_CONFIGS));
    assertThat(Role.SERVICE.topics()).containsEntry("usage", Set.of(AclOperation.WRITE));
  }

  @Test
  void registry_none_away_orAnswering() {
    expect(new RegistryFacts.None().findings(), OK, Check.REGISTRY, "none is configured");
    expect(
        new RegistryFacts.Away("schema registry http://r, look up s: cannot be reached").findings(),
        PROBLEM,
        Check.REGISTRY,
        "http://r",
        "start it, or correct schema.registry.url");
    expect(
        answered(true, List.of("s-Replay"), List.of()),
        OK,
        Check.REGISTRY,
        "has 3 of 4 schemas",
        "registers the others");
    expect(answered(true, List.of(), List.of()), OK, Check.REGISTRY, "has 3 of 3 schemas");
  }

  @Test
  void registry_withoutASchemaThatNobodyRegisters_orWithAnIncompatibleOne_isAProblem() {
    expect(
        answered(false, List.of("s-Replay"), List.of()),
        PROBLEM,
        Check.REGISTRY,
        "s-Replay",
        "register the files in schemas/published");
    expect(
        answered(true, List.of(), List.of("s-UsageReport")),
        PROBLEM,
        Check.REGISTRY,
        "subject s-UsageReport",
        "incompatible",
        "set its compatibility");
    expect(
        new RegistryFacts.Answered("http://r", true, 0, List.of(), List.of(), List.of("HTTP 401"))
            .findings(),
        PROBLEM,
        Check.REGISTRY,
        "HTTP 401");
  }

  @Test
  void clock_thatDiffers_isAProblem_oneThatCannotBeComparedAWarning() {
    expect(
        new ClockFacts(Optional.of("this host's clock is 3 s ahead"), 3).findings(),
        PROBLEM,
        Check.CLOCK,
        "3 s ahead",
        "NTP");
    expect(
        new ClockFacts(Optional.empty(), Double.NaN).findings(),
        WARNING,
        Check.CLOCK,
        "quota topics create --alter");
    expect(new ClockFacts(Optional.empty(), -0.012).findings(), OK, Check.CLOCK, "12 ms");
    expect(new ClockFacts(Optional.empty(), 0).findings(), OK, Check.CLOCK, "nothing");
  }

  @Test
  void clients_areCountedByTheirSchemas() {
    expect(clients(Map.of()), OK, Check.CLIENTS, "no instance has reported of late");
    expect(clients(Map.of(8, 3)), OK, Check.CLIENTS, "3 instance(s)", "all with this version's");
    expect(clients(Map.of(8, 3, 6, 2)), OK, Check.CLIENTS, "5 instance(s)", "2 of them with an");
    expect(clients(Map.of(8, 3, 0, 1)), WARNING, Check.CLIENTS, "1 of 4", "upgrade the enforcers");
    expect(
        new ClientFacts(Map.of(8, 1), 8, Map.of("no schema", 7)).findings(),
        PROBLEM,
        Check.CLIENTS,
        "7 recent report(s)",
        "no schema");
  }

  @Test
  void lag_thatIsLong_orRecordsThatWereDeletedUnread_areProblems() {
    expect(lag(0, 5, 9), OK, Check.LAG, "at most 4 records");
    expect(lag(0, 0, LagFacts.LONG + 1), PROBLEM, Check.LAG, "20001 records", "start more of them");
    expect(lag(7, 5, 9), PROBLEM, Check.LAG, "2 records of quota.usage, partition 1", "retention");
    expect(new LagFacts(List.of()).findings(), OK, Check.LAG, "at most 0 records");
  }

  @Test
  void disk_isJudgedByWhatIsLeft() {
    expect(disks(50, 90), OK, Check.DISK, "50 % or more is left", "(2)");
    expect(disks(90, 14), WARNING, Check.DISK, "disk 1 has 14 %", "give it more");
    expect(disks(4, 90), PROBLEM, Check.DISK, "disk 0 has 4 %");
    expect(
        new DiskFacts(List.of(), List.of("broker 1 (/data): I/O error")).findings(),
        PROBLEM,
        Check.DISK,
        "broker 1 (/data): I/O error",
        "repair its disk");
    assertThat(new DiskFacts(List.of(new Disk("none", 0, 0)), List.of()).findings()).isEmpty();
  }

  @Test
  void rule_withALargeExpectedExcess_isAWarning_oneThatCannotBeReadAProblem() {
    expect(rules(10), OK, Check.RULES, "1 published");
    expect(
        rules(11),
        WARNING,
        Check.RULES,
        "posts/a may admit 11 over its limit of 100",
        "200 in the worst case",
        "make it strict");
    expect(new RuleFacts(List.of(), Map.of()).findings(), OK, Check.RULES, "quota rules apply");
    expect(
        new RuleFacts(List.of(), Map.of("posts/b", "newer")).findings(),
        PROBLEM,
        Check.RULES,
        "posts/b cannot be read: newer",
        "quota rules delete posts/b");
  }

  private static List<Finding> reached(Answer... answers) {
    List<Port> ports =
        IntStream.range(0, answers.length)
            .mapToObj(i -> new Port("b" + i + ":9092", answers[i]))
            .toList();
    return new Reach.Answered("kafka:9092", ports).findings();
  }

  private static List<Finding> answered(
      boolean registers, List<String> absent, List<String> incompatible) {
    return new RegistryFacts.Answered("http://r", registers, 3, absent, incompatible, List.of())
        .findings();
  }

  private static List<Finding> clients(Map<Integer, Integer> instances) {
    return new ClientFacts(instances, 8, Map.of()).findings();
  }

  private static List<Finding> lag(long first, long read, long end) {
    return new LagFacts(List.of(new LagFacts.Partition("quota.usage", 1, first, read, end)))
        .findings();
  }

  private static List<Finding> disks(int... percents) {
    return new DiskFacts(
            Arrays.stream(percents)
                .mapToObj(
                    percent ->
                        new Disk(
                            "disk " + Arrays.stream(percents).boxed().toList().indexOf(percent),
                            percent,
                            100))
                .toList(),
            List.of())
        .findings();
  }

  private static List<Finding> rules(long expected) {
    return new RuleFacts(List.of(new RuleFacts.Excess("posts/a", 100, expected, 200)), Map.of())
        .findings();
  }

  private static void expect(List<Finding> findings, Level level, Check check, String... words) {
    assertThat(findings).hasSize(1);
    assertThat(findings.get(0).level()).as(findings.get(0).text()).isEqualTo(level);
    assertThat(findings.get(0).check()).isEqualTo(check);
    assertThat(findings.get(0).text()).contains(words);
  }
}
