package io.quotaenforcer.enforcer.topology;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.streams.errors.TaskAssignmentException;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.assignment.ApplicationState;
import org.apache.kafka.streams.processor.assignment.KafkaStreamsAssignment;
import org.apache.kafka.streams.processor.assignment.KafkaStreamsAssignment.AssignedTask;
import org.apache.kafka.streams.processor.assignment.KafkaStreamsState;
import org.apache.kafka.streams.processor.assignment.ProcessId;
import org.apache.kafka.streams.processor.assignment.TaskAssignmentUtils;
import org.apache.kafka.streams.processor.assignment.TaskAssignor;
import org.apache.kafka.streams.processor.assignment.TaskInfo;

/**
 * Who works for which partitions: an enforcer that has just started gets copies first, and its
 * share of the partitions some seconds later, when its stores are open and up to date. The usual
 * assignor of Kafka Streams gives it partitions at once if it finds its stores on disk; these have
 * no owner until it has opened all of them, one after the other.
 */
public final class WarmFirst implements TaskAssignor {
  /** Time in which a process that has just joined opens its stores. */
  static final Duration BEGINS = Duration.ofSeconds(5);

  /** The same with what the clocks of two hosts differ by, whoever looks at the time. */
  static final Duration HAS_BEGUN = BEGINS.plusSeconds(1);

  /** The same for processes that read all of their stores anew. */
  static final Duration LOOKS_AGAIN = Duration.ofSeconds(30);

  /**
   * When processes without partitions were first seen by this one, which assigns. Kafka Streams
   * makes an assignor for each time.
   */
  private static final Map<ProcessId, Instant> FIRST_SEEN = new ConcurrentHashMap<>();

  private final Map<ProcessId, Instant> firstSeen;
  private final Clock clock;

  /** The time of now. */
  @FunctionalInterface
  interface Clock {
    Instant now();
  }

  public WarmFirst() {
    this(FIRST_SEEN, Instant::now);
  }

  WarmFirst(Map<ProcessId, Instant> firstSeen, Clock clock) {
    this.firstSeen = firstSeen;
    this.clock = clock;
  }

  @Override
  public TaskAssignment assign(ApplicationState application) {
    Map<ProcessId, KafkaStreamsState> states = states(application);
    Set<ProcessId> beginners = beginners(states);
    Map<ProcessId, SortedSet<TaskId>> active = new TreeMap<>();
    states.keySet().forEach(process -> active.put(process, new TreeSet<>()));
    boolean balanced = true;
    for (List<TaskId> together : bySubtopology(application.allTasks().values())) {
      balanced &= new Share(states, beginners, application).of(together, active);
    }
    Map<ProcessId, KafkaStreamsAssignment> assignments = new HashMap<>();
    active.forEach(
        (process, tasks) -> {
          Set<AssignedTask> all = new HashSet<>();
          tasks.forEach(task -> all.add(new AssignedTask(task, AssignedTask.Type.ACTIVE)));
          assignments.put(process, KafkaStreamsAssignment.of(process, all));
        });
    TaskAssignmentUtils.defaultStandbyTaskAssignment(application, assignments);
    if (!balanced && !assignments.isEmpty()) {
      Duration after = beginners.isEmpty() ? LOOKS_AGAIN : HAS_BEGUN;
      ProcessId first = active.keySet().iterator().next();
      assignments.computeIfPresent(
          first, (process, known) -> known.withFollowupRebalance(clock.now().plus(after)));
    }
    return new TaskAssignment(assignments.values());
  }

  /** Without lags if they cannot be had: then nothing moves that has an owner. */
  private static Map<ProcessId, KafkaStreamsState> states(ApplicationState application) {
    try {
      return new TreeMap<>(application.kafkaStreamsStates(true));
    } catch (TaskAssignmentException e) {
      return new TreeMap<>(application.kafkaStreamsStates(false));
    }
  }

  /** None if there are only beginners: somebody must work. */
  private Set<ProcessId> beginners(Map<ProcessId, KafkaStreamsState> states) {
    Instant now = clock.now();
    firstSeen.keySet().retainAll(states.keySet());
    Set<ProcessId> beginners = new HashSet<>();
    states.forEach(
        (process, state) -> {
          Instant since = firstSeen.computeIfAbsent(process, unseen -> now);
          boolean begins = since.plus(BEGINS).isAfter(now);
          if (begins && state.previousActiveTasks().isEmpty()) {
            beginners.add(process);
          }
        });
    return beginners.size() == states.size() ? Set.of() : beginners;
  }

  private static Collection<List<TaskId>> bySubtopology(Collection<TaskInfo> tasks) {
    Map<Integer, List<TaskId>> grouped = new TreeMap<>();
    tasks.stream()
        .map(TaskInfo::id)
        .sorted()
        .forEach(
            task ->
                grouped.computeIfAbsent(task.subtopology(), one -> new ArrayList<>()).add(task));
    return grouped.values();
  }

  /** Divides tasks of one kind among processes. */
  private record Share(
      Map<ProcessId, KafkaStreamsState> states,
      Set<ProcessId> beginners,
      ApplicationState application) {

    /**
     * @param active gets the tasks
     * @return whether each process got as many as it should
     */
    boolean of(List<TaskId> tasks, Map<ProcessId, SortedSet<TaskId>> active) {
      Map<ProcessId, Integer> most = most(tasks.size());
      Map<ProcessId, List<TaskId>> mine = new TreeMap<>();
      states.keySet().forEach(process -> mine.put(process, new ArrayList<>()));
      for (TaskId task : tasks) {
        of(mine, owner(task, mine)).add(task);
      }
      boolean balanced = true;
      for (ProcessId process : List.copyOf(mine.keySet())) {
        boolean moves = true;
        while (moves && of(mine, process).size() > most.getOrDefault(process, 0)) {
          moves = moveOne(process, mine, most);
        }
        balanced &= of(mine, process).size() <= most.getOrDefault(process, 0);
      }
      mine.forEach((process, got) -> Objects.requireNonNull(active.get(process)).addAll(got));
      return balanced;
    }

    /**
     * The most tasks of each process, in proportion to its threads; the first ones get one more.
     */
    private Map<ProcessId, Integer> most(int tasks) {
      int threads =
          states.values().stream().mapToInt(KafkaStreamsState::numProcessingThreads).sum();
      Map<ProcessId, Integer> most = new TreeMap<>();
      int given = 0;
      int seen = 0;
      for (Map.Entry<ProcessId, KafkaStreamsState> each : states.entrySet()) {
        seen += each.getValue().numProcessingThreads();
        int until = (int) Math.ceil((double) tasks * seen / Math.max(1, threads));
        most.put(each.getKey(), until - given);
        given = until;
      }
      return most;
    }

    /** Who has it, or else who is most up to date; of equal ones the one with the fewest. */
    private ProcessId owner(TaskId task, Map<ProcessId, List<TaskId>> mine) {
      for (Map.Entry<ProcessId, KafkaStreamsState> each : states.entrySet()) {
        if (each.getValue().previousActiveTasks().contains(task)) {
          return each.getKey();
        }
      }
      return states.keySet().stream()
          .filter(process -> !beginners.contains(process))
          .min(
              Comparator.<ProcessId>comparingLong(
                      process -> isWarm(process, task) ? 0 : lag(process, task))
                  .thenComparingInt(process -> of(mine, process).size())
                  .thenComparing(Comparator.naturalOrder()))
          .orElseThrow();
    }

    /** Moves a task to one who has too few and is up to date; false if there is none. */
    private boolean moveOne(
        ProcessId from, Map<ProcessId, List<TaskId>> mine, Map<ProcessId, Integer> most) {
      List<TaskId> tasks = of(mine, from);
      for (int i = tasks.size() - 1; i >= 0; i--) {
        TaskId task = tasks.get(i);
        Optional<ProcessId> to =
            states.keySet().stream()
                .filter(process -> !beginners.contains(process) && isWarm(process, task))
                .filter(process -> of(mine, process).size() < most.getOrDefault(process, 0))
                .findFirst();
        if (to.isPresent()) {
          tasks.remove(i);
          of(mine, to.get()).add(task);
          return true;
        }
      }
      return false;
    }

    private boolean isWarm(ProcessId process, TaskId task) {
      return lag(process, task) <= application.assignmentConfigs().acceptableRecoveryLag();
    }

    private long lag(ProcessId process, TaskId task) {
      try {
        return Objects.requireNonNull(states.get(process)).lagFor(task);
      } catch (IllegalStateException e) {
        return Long.MAX_VALUE;
      }
    }

    private static List<TaskId> of(Map<ProcessId, List<TaskId>> mine, ProcessId process) {
      return Objects.requireNonNull(mine.get(process));
    }
  }
}
