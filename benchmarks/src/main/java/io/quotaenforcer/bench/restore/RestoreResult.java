package io.quotaenforcer.bench.restore;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one takeover took; times in seconds since the kill.
 *
 * @param standbyReplicas copies of each store
 * @param keys in the ledger of the killed enforcer
 * @param fillSeconds until their reports were counted
 * @param changelogRecords in the changelogs of the killed enforcer's ledgers
 * @param noticed the broker gave the killed enforcer up
 * @param assigned its partitions were another's
 * @param firstAnswered a report to one of the partitions was answered
 * @param allAnswered a report to each of them was
 * @param killedPeakMebibytes most memory of the killed enforcer, heap and all else; 0 if not known
 * @param successorPeakMebibytes the same of the successor
 */
record RestoreResult(
    int standbyReplicas,
    int keys,
    double fillSeconds,
    long changelogRecords,
    double noticed,
    double assigned,
    double firstAnswered,
    double allAnswered,
    long killedPeakMebibytes,
    long successorPeakMebibytes) {

  String describe() {
    return ("%d standby replica(s): answers after %.1f s (first partition %.1f s): %.1f s until the"
            + " crash was noticed, %.1f s to move the partitions, %.1f s to restore them")
        .formatted(
            standbyReplicas,
            allAnswered,
            firstAnswered,
            noticed,
            assigned - noticed,
            allAnswered - assigned);
  }

  String describeLedger() {
    return ("  %,d keys, %,d records of changelog, filled in %.0f s; most memory: killed %d MiB,"
            + " successor %d MiB")
        .formatted(
            keys, changelogRecords, fillSeconds, killedPeakMebibytes, successorPeakMebibytes);
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("standbyReplicas", standbyReplicas);
    json.put("keys", keys);
    json.put("fillSeconds", fillSeconds);
    json.put("changelogRecords", changelogRecords);
    json.put("noticedSeconds", noticed);
    json.put("assignedSeconds", assigned);
    json.put("firstAnsweredSeconds", firstAnswered);
    json.put("allAnsweredSeconds", allAnswered);
    json.put("killedPeakMebibytes", killedPeakMebibytes);
    json.put("successorPeakMebibytes", successorPeakMebibytes);
    return json;
  }
}
