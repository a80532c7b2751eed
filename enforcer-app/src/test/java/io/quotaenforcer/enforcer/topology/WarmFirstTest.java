package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.assignment.ApplicationState;
import org.apache.kafka.streams.processor.assignment.AssignmentConfigs;
import org.apache.kafka.streams.processor.assignment.KafkaStreamsAssignment;
import org.apache.kafka.streams.processor.assignment.KafkaStreamsAssignment.AssignedTask;
import org.apache.kafka.streams.processor.assignment.KafkaStreamsState;
import org.apache.kafka.streams.processor.assignment.ProcessId;
import org.apache.kafka.streams.processor.assignment.TaskAssignmentUtils;
import org.apache.kafka.streams.processor.assignment.TaskAssignor.AssignmentError;
import org.apache.kafka.streams.processor.assignment.TaskAssignor.TaskAssignment;
import org.apache.kafka.streams.processor.assignment.TaskInfo;
import org.apache.kafka.streams.processor.assignment.TaskTopicPartition;
import org.apache.kafka.streams.state.HostInfo;
import org.junit.jupiter.api.Test;

class WarmFirstTest {
  private static final int SUBTOPOLOGIES = 3;
  private static final int PARTITIONS = 4;
  private static final long FAR_BEHIND = 1_000_000;
  private static final ProcessId A = new ProcessId(new UUID(0, 1));
  private static final ProcessId B = new ProcessId(new UUID(0, 2));
  private static final ProcessId C = new ProcessId(new UUID(0, 3));

  private final Map<ProcessId, Instant> firstSeen = new HashMap<>();
  private final Map<ProcessId, Member> members = new TreeMap<>();
  private Instant now = Instant.EPOCH;
  private Map<ProcessId, KafkaStreamsAssignment> assigned = Map.of();

  private record Member(
      ProcessId processId, SortedSet<TaskId> previousActiveTasks, Map<TaskId, Long> lags)
      implements KafkaStreamsState {
    @Override
    public int numProcessingThreads() {
      return 2;
    }

    @Override
    public SortedSet<String> consumerClientIds() {
      return new TreeSet<>(Set.of(processId + "-1", processId + "-2"));
    }

    @Override
    public SortedSet<TaskId> previousStandbyTasks() {
      return new TreeSet<>();
    }

    @Override
    public long lagFor(TaskId task) {
      return Objects.requireNonNull(lags.get(task));
    }

    @Override
    public SortedSet<TaskId> prevTasksByLag(String consumer) {
      return previousActiveTasks;
    }

    @Override
    public Map<TaskId, Long> statefulTasksToLagSums() {
      return lags;
    }

    @Override
    public Optional<HostInfo> hostInfo() {
      return Optional.empty();
    }

    @Override
    public Map<String, String> clientTags() {
      return Map.of();
    }

    @Override
    public Optional<String> rackId() {
      return Optional.empty();
    }
  }

  private record Task(TaskId id) implements TaskInfo {
    @Override
    public boolean isStateful() {
      return true;
    }

    @Override
    public Set<String> stateStoreNames() {
      return Set.of("store");
    }

    @Override
    public Set<TaskTopicPartition> topicPartitions() {
      return Set.of(new Changelog(new TopicPartition("changelog", id.partition())));
    }
  }

  private record Changelog(TopicPartition topicPartition) implements TaskTopicPartition {
    @Override
    public boolean isSource() {
      return false;
    }

    @Override
    public boolean isChangelog() {
      return true;
    }

    @Override
    public Optional<Set<String>> rackIds() {
      return Optional.empty();
    }
  }

  private final ApplicationState application =
      new ApplicationState() {
        @Override
        public Map<ProcessId, KafkaStreamsState> kafkaStreamsStates(boolean lags) {
          return new TreeMap<>(members);
        }

        @Override
        public AssignmentConfigs assignmentConfigs() {
          return new AssignmentConfigs(10_000L, 2, 1, 60_000L, List.of());
        }

        @Override
        public Map<TaskId, TaskInfo> allTasks() {
          return tasks().stream().collect(Collectors.toMap(task -> task, Task::new));
        }
      };

  private static List<TaskId> tasks() {
    List<TaskId> tasks = new ArrayList<>();
    for (int subtopology = 0; subtopology < SUBTOPOLOGIES; subtopology++) {
      for (int partition = 0; partition < PARTITIONS; partition++) {
        tasks.add(new TaskId(subtopology, partition));
      }
    }
    return tasks;
  }

  /** A process with the partitions that it was assigned last. */
  private void member(ProcessId process, long lag) {
    Map<TaskId, Long> lags = new HashMap<>();
    tasks().forEach(task -> lags.put(task, lag));
    SortedSet<TaskId> active = new TreeSet<>(active(process));
    active.forEach(task -> lags.put(task, -2L));
    members.put(process, new Member(process, active, lags));
  }

  private void restarted(ProcessId process) {
    assigned = new HashMap<>(assigned);
    assigned.remove(process);
    member(process, 10);
  }

  private void assign() {
    TaskAssignment assignment = new WarmFirst(firstSeen, () -> now).assign(application);
    assertThat(TaskAssignmentUtils.validateTaskAssignment(application, assignment))
        .isEqualTo(AssignmentError.NONE);
    assigned =
        assignment.assignment().stream()
            .collect(Collectors.toMap(KafkaStreamsAssignment::processId, each -> each));
    for (ProcessId process : List.copyOf(members.keySet())) {
      member(process, 10);
    }
  }

  private List<TaskId> of(ProcessId process, AssignedTask.Type type) {
    KafkaStreamsAssignment known = assigned.get(process);
    return known == null
        ? List.of()
        : known.tasks().values().stream()
            .filter(task -> task.type() == type)
            .map(AssignedTask::id)
            .sorted()
            .toList();
  }

  private List<TaskId> active(ProcessId process) {
    return of(process, AssignedTask.Type.ACTIVE);
  }

  private Optional<Instant> next() {
    return assigned.values().stream()
        .flatMap(each -> each.followupRebalanceDeadline().stream())
        .findFirst();
  }

  private void two() {
    member(A, 0);
    member(B, 0);
    assign();
  }

  @Test
  void processesThatStartTogether_shareEachKindOfTask_atOnce() {
    two();

    for (ProcessId each : List.of(A, B)) {
      for (int subtopology = 0; subtopology < SUBTOPOLOGIES; subtopology++) {
        int wanted = subtopology;
        assertThat(active(each)).filteredOn(task -> task.subtopology() == wanted).hasSize(2);
      }
      assertThat(of(each, AssignedTask.Type.STANDBY)).hasSize(6);
    }
    assertThat(next()).isEmpty();
  }

  @Test
  void processThatIsGone_leavesAllToTheOther() {
    two();
    members.remove(B);
    assign();

    assertThat(active(A)).hasSize(SUBTOPOLOGIES * PARTITIONS);
    assertThat(next()).isEmpty();
  }

  @Test
  void processThatComesBack_getsCopiesFirst_andItsShareWhenTheyAreOpen() {
    two();
    members.remove(B);
    assign();
    now = now.plusSeconds(20);
    restarted(B);
    assign();

    assertThat(active(A)).hasSize(SUBTOPOLOGIES * PARTITIONS);
    assertThat(active(B)).isEmpty();
    assertThat(of(B, AssignedTask.Type.STANDBY)).hasSize(SUBTOPOLOGIES * PARTITIONS);
    assertThat(next()).contains(now.plus(WarmFirst.HAS_BEGUN));

    now = now.plus(WarmFirst.BEGINS);
    assign();
    assertThat(active(A)).hasSize(6);
    assertThat(active(B)).hasSize(6);
    assertThat(next()).isEmpty();
  }

  @Test
  void processThatReadsItsStoresAnew_waitsUntilItHas() {
    two();
    members.remove(B);
    assign();
    restarted(B);
    assign();
    now = now.plus(WarmFirst.BEGINS);
    member(B, FAR_BEHIND);
    assign();

    assertThat(active(B)).isEmpty();
    assertThat(next()).contains(now.plus(WarmFirst.LOOKS_AGAIN));
  }

  @Test
  void balancedProcesses_keepWhatTheyHave_whoeverAssigns() {
    two();
    List<TaskId> before = active(B);
    firstSeen.clear();
    now = now.plusSeconds(1);
    assign();

    assertThat(active(B)).isEqualTo(before);
    assertThat(next()).isEmpty();
  }

  @Test
  void processThatIsKilledWhileAnotherBegins_leavesItsPartitionsToWhoIsThere() {
    two();
    member(C, 10);
    members.remove(B);
    assign();
    assertThat(active(A)).hasSize(SUBTOPOLOGIES * PARTITIONS);
    assertThat(active(C)).isEmpty();

    now = now.plus(WarmFirst.BEGINS);
    assign();
    assertThat(active(C)).hasSize(6);
  }

  @Test
  void onlyBeginners_shareTheWork() {
    two();
    members.clear();
    now = now.plusSeconds(30);
    restarted(A);
    restarted(B);
    assign();

    assertThat(active(A)).hasSize(6);
    assertThat(active(B)).hasSize(6);
  }
}
