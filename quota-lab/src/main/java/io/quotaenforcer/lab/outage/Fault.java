package io.quotaenforcer.lab.outage;

import com.fasterxml.jackson.annotation.JsonValue;
import io.quotaenforcer.lab.process.ChildJvm;
import io.quotaenforcer.lab.process.EnforcerJvm;
import io.quotaenforcer.lab.process.Wait;
import java.time.Duration;
import java.util.List;

/**
 * A fault to cause. The enforcer affected is the one that counts the quota keys, the broker the one
 * that leads their partition of the usage topic.
 */
public enum Fault {
  ENFORCER_RESTARTED("one enforcer restarted as planned", Fault::restartOne),
  ENFORCERS_RESTARTED("both enforcers restarted in turn", Fault::restartInTurn),
  ENFORCER_KILLED("one enforcer killed", Fault::killEnforcer),
  ENFORCER_PAUSED("one enforcer paused 10 s", Fault::pauseEnforcer),
  BROKER_KILLED("leading broker killed", Fault::killBroker),
  BROKER_PAUSED("leading broker paused 10 s", Fault::pauseBroker),
  SERVICE_KILLED("one service killed", Fault::killService),
  ENFORCERS_AWAY("both enforcers paused 12 s", Fault::pauseEnforcers),
  ENFORCERS_KILLED("both enforcers killed and started", Fault::killEnforcers),
  BROKERS_AWAY("all brokers paused 12 s", Fault::pauseBrokers);

  private static final Duration ONE_PAUSED = Duration.ofSeconds(10);
  private static final Duration ALL_PAUSED = Duration.ofSeconds(12);

  /** A service that has a tenth of an uneven load. */
  private static final int KILLED_SERVICE = 1;

  private final String label;
  private final Course course;

  /** The course of a fault: how it begins and ends. */
  private interface Course {
    void run(OutageSite site, Stage stage) throws Exception;
  }

  Fault(String label, Course course) {
    this.label = label;
    this.course = course;
  }

  @JsonValue
  public String label() {
    return label;
  }

  /** Lets it happen, and returns when it has ended. */
  void happen(OutageSite site, Stage stage) throws Exception {
    course.run(site, stage);
  }

  private static void restartOne(OutageSite site, Stage stage) throws Exception {
    int owner = site.owner();
    stage.begin();
    site.restartEnforcer(owner);
    stage.end();
  }

  private static void restartInTurn(OutageSite site, Stage stage) throws Exception {
    int owner = site.owner();
    stage.begin();
    site.restartEnforcer(owner);
    site.restartEnforcer(1 - owner);
    stage.end();
  }

  private static void killEnforcer(OutageSite site, Stage stage) throws Exception {
    EnforcerJvm owner = site.enforcer(site.owner());
    stage.begin();
    owner.close();
    stage.end();
  }

  private static void pauseEnforcer(OutageSite site, Stage stage) throws Exception {
    pause(List.of(site.enforcer(site.owner()).jvm()), ONE_PAUSED, stage);
  }

  private static void killBroker(OutageSite site, Stage stage) throws Exception {
    ChildJvm leader = site.broker(site.leader());
    stage.begin();
    leader.close();
    stage.end();
  }

  private static void pauseBroker(OutageSite site, Stage stage) throws Exception {
    pause(List.of(site.broker(site.leader())), ONE_PAUSED, stage);
  }

  private static void killService(OutageSite site, Stage stage) {
    stage.begin();
    site.service(KILLED_SERVICE).close();
    Wait.pause(site.term());
    stage.end();
  }

  private static void pauseEnforcers(OutageSite site, Stage stage) throws Exception {
    pause(List.of(site.enforcer(0).jvm(), site.enforcer(1).jvm()), ALL_PAUSED, stage);
  }

  private static void killEnforcers(OutageSite site, Stage stage) throws Exception {
    stage.begin();
    site.enforcer(0).close();
    site.enforcer(1).close();
    site.startDeadEnforcers();
    site.awaitOneReady();
    stage.end();
  }

  private static void pauseBrokers(OutageSite site, Stage stage) throws Exception {
    pause(site.brokers(), ALL_PAUSED, stage);
  }

  private static void pause(List<ChildJvm> jvms, Duration time, Stage stage) throws Exception {
    stage.begin();
    for (ChildJvm jvm : jvms) {
      jvm.signal("STOP");
    }
    Wait.pause(time);
    for (ChildJvm jvm : jvms) {
      jvm.signal("CONT");
    }
    stage.end();
  }
}
