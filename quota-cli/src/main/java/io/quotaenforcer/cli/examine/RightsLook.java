package io.quotaenforcer.cli.examine;

import io.quotaenforcer.cli.doctor.Rights;
import io.quotaenforcer.cli.doctor.Rights.Asked;
import io.quotaenforcer.cli.doctor.Role;
import io.quotaenforcer.enforcer.topics.Brokers;
import io.quotaenforcer.enforcer.topics.BrokersException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Asks Kafka what it allows to who asks. Changes nothing: of transactions it can only ask whether
 * they may be described, which whoever may write in them may do.
 */
final class RightsLook {
  private final Brokers brokers;

  RightsLook(Brokers brokers) {
    this.brokers = brokers;
  }

  /**
   * Rights beside those that a role needs.
   *
   * @param prefix of the topics
   * @param applicationId of the enforcers
   */
  Rights rights(Role role, String prefix, String applicationId) {
    List<Asked> asked = new ArrayList<>();
    role.topics().forEach((topic, needed) -> topic(prefix + topic, needed).ifPresent(asked::add));
    if (role.isInTheGroup()) {
      group(applicationId).ifPresent(asked::add);
      transactions(applicationId + "-doctor").ifPresent(asked::add);
    }
    role.transactions().forEach(id -> transactions(prefix + id).ifPresent(asked::add));
    return new Rights(role.name().toLowerCase(Locale.ROOT), asked);
  }

  private Optional<Asked> topic(String topic, Set<AclOperation> needed) {
    return allowed(
            () -> {
              TopicDescription described =
                  brokers.get(
                      "read topic " + topic,
                      Objects.requireNonNull(
                          brokers
                              .admin()
                              .describeTopics(
                                  List.of(topic),
                                  new DescribeTopicsOptions().includeAuthorizedOperations(true))
                              .topicNameValues()
                              .get(topic)));
              return described.authorizedOperations();
            },
            UnknownTopicOrPartitionException.class)
        .map(allowed -> new Asked("topic " + topic, needed, allowed));
  }

  private Optional<Asked> group(String group) {
    return allowed(
            () -> {
              ConsumerGroupDescription described =
                  brokers.get(
                      "describe the group " + group,
                      Objects.requireNonNull(
                          brokers
                              .admin()
                              .describeConsumerGroups(
                                  List.of(group),
                                  new DescribeConsumerGroupsOptions()
                                      .includeAuthorizedOperations(true))
                              .describedGroups()
                              .get(group)));
              return described.authorizedOperations();
            },
            GroupIdNotFoundException.class)
        .map(allowed -> new Asked("group " + group, Set.of(AclOperation.READ), allowed));
  }

  private Optional<Asked> transactions(String id) {
    return allowed(
            () -> {
              brokers.get(
                  "describe the transactions of " + id,
                  brokers.admin().describeTransactions(List.of(id)).description(id));
              return Set.of(AclOperation.ALL);
            },
            TransactionalIdNotFoundException.class)
        .map(allowed -> new Asked("transactional-id " + id, Set.of(AclOperation.WRITE), allowed));
  }

  /**
   * Nothing is allowed on what may not even be looked at.
   *
   * @param notThere failure of what does not exist, and of which brokers tell no rights
   */
  private static Optional<Set<AclOperation>> allowed(
      Supplier<@Nullable Set<AclOperation>> question, Class<? extends Exception> notThere) {
    try {
      return Optional.ofNullable(question.get());
    } catch (BrokersException e) {
      if (notThere.isInstance(e.getCause())) {
        return Optional.empty();
      }
      if (e.getCause() instanceof AuthorizationException) {
        return Optional.of(Set.of());
      }
      throw e;
    }
  }
}
