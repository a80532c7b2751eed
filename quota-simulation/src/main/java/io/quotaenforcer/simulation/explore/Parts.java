package io.quotaenforcer.simulation.explore;

import io.quotaenforcer.core.message.QuotaSnapshot;

/** The parts of the world, whose states are numbered. */
final class Parts {
  final Setting setting;
  final Numbers<Reported> reports = new Numbers<>();
  final Numbers<QuotaSnapshot> snapshots = new Numbers<>();
  final Books books;
  final Desks desks;
  final Admissions admissions;

  Parts(Scope scope) {
    setting = new Setting(scope);
    books = new Books(setting, reports, snapshots);
    desks = new Desks(setting, reports, snapshots);
    admissions = new Admissions(setting);
  }

  /** Nothing has happened yet. */
  World first(int instances) {
    World world = new World(instances);
    world.desk = desks.first();
    world.admitted = admissions.none();
    for (int i = 0; i < instances; i++) {
      world.books[i] = books.opened(0);
    }
    return world;
  }
}
