package io.quotaenforcer.client.internal.replay;

import io.quotaenforcer.core.message.DeferralInput.ReplayResult;
import io.quotaenforcer.core.message.Replay;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One replay from its record to its durable result. Guarded by its dispatcher's monitor. */
final class ReplayJob {
  final Replay replay;
  final int partition;
  final int bytes;
  final OffsetWatermark watermark;
  final OffsetWatermark.Mark mark;
  final Lanes.Lane lane;
  Stage stage = Stage.WAITING;

  /** Whether it has the permits of the rules that it had not paid. */
  boolean paidOthers;

  int attempts;

  /** Whether it is acknowledged; null unless that is asked and not answered. */
  @Nullable CompletableFuture<Boolean> question;

  /** Whether it was handled before, and the enforcer knows it. */
  boolean acknowledged;

  /** Whether it is the first of its lane, and waits for the answer only. */
  boolean waitsForAnswer;

  /** The result to be written; null until it is finished. */
  @Nullable ReplayResult result;

  /** How far it is. */
  enum Stage {
    /** It waits for its turn, for permits, or for its next attempt. */
    WAITING,
    /** The handler has it. */
    RUNNING,
    /** It is finished, but its result is not durable. */
    REPORTING,
    /** Its result is durable, or it went back to its group. */
    GONE
  }

  /**
   * @param bytes that it counts for in the backlog
   */
  ReplayJob(Replay replay, int partition, long offset, int bytes, OffsetWatermark watermark) {
    this.replay = replay;
    this.partition = partition;
    this.bytes = bytes;
    this.watermark = watermark;
    this.mark = watermark.add(offset);
    this.lane = new Lanes.Lane(replay.quotaKey(), replay.priority());
  }

  /** Whether it is to be finished here, whoever reads its partition. */
  boolean hasStarted() {
    return stage == Stage.RUNNING || stage == Stage.REPORTING;
  }

  boolean isGone() {
    return stage == Stage.GONE;
  }
}
