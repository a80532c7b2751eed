package io.quotaenforcer.cli.examine;

import static io.quotaenforcer.cli.doctor.Finding.Check.BROKERS;
import static io.quotaenforcer.cli.doctor.Finding.Check.CLIENTS;
import static io.quotaenforcer.cli.doctor.Finding.Check.CLOCK;
import static io.quotaenforcer.cli.doctor.Finding.Check.CONNECTION;
import static io.quotaenforcer.cli.doctor.Finding.Check.DISK;
import static io.quotaenforcer.cli.doctor.Finding.Check.ENFORCERS;
import static io.quotaenforcer.cli.doctor.Finding.Check.LAG;
import static io.quotaenforcer.cli.doctor.Finding.Check.REGISTRY;
import static io.quotaenforcer.cli.doctor.Finding.Check.RIGHTS;
import static io.quotaenforcer.cli.doctor.Finding.Check.RULES;
import static io.quotaenforcer.cli.doctor.Finding.Check.TOPICS;

import io.quotaenforcer.cli.doctor.ClockFacts;
import io.quotaenforcer.cli.doctor.DiskFacts;
import io.quotaenforcer.cli.doctor.DiskFacts.Disk;
import io.quotaenforcer.cli.doctor.EnforcerFacts;
import io.quotaenforcer.cli.doctor.Finding;
import io.quotaenforcer.cli.doctor.Fleet;
import io.quotaenforcer.cli.doctor.Reach;
import io.quotaenforcer.cli.doctor.TopicFacts;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.enforcer.clock.ClockComparison;
import io.quotaenforcer.enforcer.config.EnforcerConfig;
import io.quotaenforcer.enforcer.topics.Brokers;
import io.quotaenforcer.enforcer.topics.BrokersException;
import io.quotaenforcer.enforcer.topics.ForgottenOffsets;
import io.quotaenforcer.enforcer.topics.SharedGroup;
import io.quotaenforcer.enforcer.topics.TopicCheck;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topic;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Looks at everything that an enforcer rests on, and at the enforcers. What one look finds wrong
 * does not end the others. Writes nothing but empty records to nobody, as enforcers do, to learn
 * the brokers' time.
 */
public final class Examination {
  private final Subject subject;
  private final EnforcerConfig config;
  private final List<Finding> findings = new ArrayList<>();

  /** What is fixed for the prefix, once its topics were looked at. */
  private Optional<PrefixInfo> info = Optional.empty();

  public Examination(Subject subject) {
    this.subject = subject;
    this.config = subject.config();
  }

  /** Its findings, in the order of the checks. */
  public List<Finding> run() throws InterruptedException {
    List<EnforcerFacts> enforcers = new EnforcerLook(subject.enforcer()).facts();
    try (Codecs codecs = config.registry().codecsThatRegisterNothing()) {
      look(REGISTRY, () -> RegistryLook.facts(config.registry(), codecs, names(codecs)).findings());
      try (Brokers brokers = Brokers.connect(config.kafka(), subject.connectTimeout())) {
        kafka(brokers, codecs, enforcers);
      } catch (BrokersException e) {
        findings.addAll(
            new Reach.Failed(
                    String.valueOf(e.getMessage()), Ports.ask(config.kafka().bootstrapServers()))
                .findings());
        fleet(Optional.empty(), enforcers);
        look(DISK, () -> new DiskFacts(disks(enforcers), List.of()).findings());
      }
    }
    findings.sort(Comparator.comparing(Finding::check));
    return List.copyOf(findings);
  }

  private void kafka(Brokers brokers, Codecs codecs, List<EnforcerFacts> enforcers) {
    Wire names = names(codecs);
    String group = config.runtime().applicationId();
    String prefix = config.topicPrefix();
    BrokerLook cluster = new BrokerLook(brokers);
    GroupLook readers = new GroupLook(brokers, group);
    Set<String> topics = names.topics().all().stream().map(Topic::name).collect(Collectors.toSet());
    look(CONNECTION, () -> cluster.reach().findings());
    look(BROKERS, () -> cluster.facts(topics, group).findings());
    look(RIGHTS, () -> new RightsLook(brokers).rights(subject.role(), prefix, group).findings());
    look(
        TOPICS,
        () -> {
          TopicCheck.Findings checked =
              TopicCheck.run(brokers, prefix, codecs, subject.clocks().monotonicNanos());
          info = checked.prefix();
          return new TopicFacts(
                  summary(prefix, topics.size(), checked),
                  checked.errors(),
                  checked.warnings(),
                  Stream.of(
                          ForgottenOffsets.complaint(brokers, group),
                          SharedGroup.complaint(brokers, prefix, names.topics(), group))
                      .flatMap(Optional::stream)
                      .toList())
              .findings();
        });
    look(
        DISK,
        () -> {
          List<Disk> disks = disks(enforcers);
          List<String> failed = new ArrayList<>();
          cluster.disks(disks, failed);
          return new DiskFacts(disks, failed).findings();
        });
    int partitions = info.map(PrefixInfo::partitions).orElse(Topics.DEFAULT_PARTITIONS);
    look(
        ENFORCERS,
        () -> {
          fleet(Optional.of(readers.members(names.topics().usage().name(), partitions)), enforcers);
          return List.of();
        });
    info.ifPresent(known -> records(brokers, readers, codecs, known));
  }

  /** What topics of a prefix hold that says what it is made of. */
  private void records(Brokers brokers, GroupLook readers, Codecs codecs, PrefixInfo fixed) {
    Wire wire = Wire.of(Topics.under(config.topicPrefix(), fixed.partitions(), codecs));
    look(LAG, () -> readers.lag().findings());
    look(
        RULES,
        () ->
            RuleLook.facts(brokers.connection(), wire, brokers.timeout(), fixed.maxInstances())
                .findings());
    look(
        CLIENTS,
        () -> {
          long nanosPerMilli = Duration.ofMillis(1).toNanos();
          return new ClientLook(
                  brokers,
                  wire,
                  codecs,
                  () -> subject.clocks().epochNanos().getAsLong() / nanosPerMilli)
              .facts()
              .findings();
        });
    look(
        CLOCK,
        () -> {
          ClockComparison compared =
              ClockComparison.of(
                  wire.topics().snapshots().name(),
                  config.kafka().producerProperties(),
                  subject.clocks(),
                  config.ledger().maxClockSkew());
          return new ClockFacts(compared.trouble(), compared.aheadSeconds()).findings();
        });
  }

  private void fleet(Optional<Fleet.Group> group, List<EnforcerFacts> enforcers) {
    double seconds = config.ledger().maxClockSkew().toNanos() / 1e9;
    findings.addAll(new Fleet(group, enforcers, subject.version(), seconds).findings());
  }

  private static List<Disk> disks(List<EnforcerFacts> enforcers) {
    List<Disk> disks = new ArrayList<>();
    for (EnforcerFacts enforcer : enforcers) {
      enforcer.disk().ifPresent(disks::add);
    }
    return disks;
  }

  private Wire names(Codecs codecs) {
    return Wire.of(config.topicPrefix(), codecs);
  }

  private static String summary(String prefix, int topics, TopicCheck.Findings checked) {
    return checked
        .prefix()
        .map(
            info ->
                "%d topics of prefix %s with %d partitions, for at most %d instances, are as an enforcer needs them, with 2 replicas in sync or more"
                    .formatted(topics, prefix, info.partitions(), info.maxInstances()))
        .orElse("");
  }

  /** One look; its failure is a finding as well. */
  private void look(Finding.Check check, Supplier<List<Finding>> look) {
    try {
      findings.addAll(look.get());
    } catch (RuntimeException e) {
      findings.add(Finding.problem(check, String.valueOf(e.getMessage())));
    }
  }
}
