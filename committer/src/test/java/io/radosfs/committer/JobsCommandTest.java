// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.radosfs.committer.stages.Job;
import io.radosfs.connector.cli.DocumentedFields;
import io.radosfs.connector.cli.ShownProgress;
import io.radosfs.connector.docs.PageSection;
import io.radosfs.connector.job.JobEndedException;
import io.radosfs.connector.job.JobState;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.transaction.Transactions;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code radosfs jobs}, and {@code radosfs gc} where there are jobs. */
class JobsCommandTest {

  private static final Path OUT = CommandLineJobs.OUT;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private CommandLineJobs jobs;
  private FileSystem fs;

  @BeforeEach
  void open() throws IOException {
    jobs = new CommandLineJobs();
    fs = jobs.fs();
  }

  @AfterEach
  void close() throws IOException {
    jobs.close();
  }

  private int run(String... args) {
    return jobs.run(out, err, args);
  }

  private void write(Job job, int task, String name) throws IOException {
    jobs.write(job, task, name, 100);
  }

  private List<String> objects() {
    return List.copyOf(jobs.cluster().objects("meta", "").keySet());
  }

  @Test
  void listsAndShows() throws IOException {
    fs.mkdirs(new Path("/sales"));
    assertThat(run("jobs", "list", "rados://meta/")).isZero();
    assertThat(out.toString()).isEqualToNormalizingNewlines("no jobs\n");
    Job job = jobs.setUp("j1");
    write(job, 0, "a");
    try (FSDataOutputStream open = jobs.create(job, 1, "b")) {
      open.write(new byte[5 << 20]);
      assertThat(run("jobs", "list", "rados://meta/")).isZero();
      assertThat(out.toString().lines().toList())
          .hasSize(2)
          .anyMatch(
              line ->
                  line.matches(
                      "RUNNING +j1 +/sales/out +1 +2 +100 B +\\S+Z +\\d+ s ago +\\S+@\\S+ pid "
                          + ProcessHandle.current().pid()));
      assertThat(run("jobs", "show", "rados://meta/sales", "j")).isZero();
      assertThat(out.toString())
          .contains("tasks are writing")
          .contains("uuid-j1")
          .containsPattern("m0 +0 +COMMITTED +1 +100 B +0")
          .containsPattern("m1 +0 +WRITING +0 +0 B +1");
    }
    JsonNode json = json("jobs", "show", "--json", "rados://meta/", "j1");
    assertThat(json.get("state").asText()).isEqualTo("RUNNING");
    assertThat(json.get("attempts")).hasSize(2);
    assertThat(json("jobs", "list", "--json", "rados://meta/sales/out").get("id").asText())
        .isEqualTo("j1");
    assertThat(run("jobs", "list", "rados://meta/elsewhere")).isZero();
    assertThat(out.toString()).contains("no jobs");
    assertThat(run("jobs", "show", "rados://meta/", "none")).isEqualTo(1);
    assertThat(err.toString()).contains("there is no job none on /");
  }

  /** Those of `jobs` and `top`, in their order: they look at a job, and end it. */
  @Test
  void theExamplesOfThePage() throws IOException {
    Job job = jobs.setUp("j1");
    write(job, 0, "a");
    List<String> examples =
        PageSection.of("connector/docs/command-line.md", "Command line").commands("radosfs");
    Map<String, String> printed = new TreeMap<>();
    for (String example : examples) {
      List<String> words = List.of(example.replace("//lake/", "//meta/").split(" "));
      if (List.of("jobs", "top").contains(words.get(1))) {
        assertThat(run(words.subList(1, words.size()).toArray(new String[0])))
            .as(example + err)
            .isZero();
        printed.put(words.get(1) + " " + words.get(2), out.toString());
      }
    }
    assertThat(printed).containsOnlyKeys("jobs list", "jobs recover", "top --interval");
    assertThat(printed.get("jobs list")).contains("\"id\":\"j1\"", "RUNNING");
    assertThat(printed.get("jobs recover")).contains("j1");
    assertThat(printed.get("top --interval").lines().filter(line -> line.contains("summary")))
        .hasSize(2);
    assertThat(job.record().state()).isNotEqualTo(Optional.of(JobState.RUNNING));
  }

  private JsonNode json(String... args) throws IOException {
    assertThat(run(args)).as(err.toString()).isZero();
    return new ObjectMapper().readTree(out.toString());
  }

  @Test
  void aJobWithARecentHeartbeatIsLeftAlone() throws IOException {
    Job job = jobs.setUp("j1");
    write(job, 0, "a");
    assertThat(run("jobs", "recover", "rados://meta/")).isZero();
    assertThat(out.toString())
        .contains("left alone: job j1 on /sales/out")
        .contains("0 jobs ended, 1 left alone, 0 kept");
    assertThat(run("jobs", "recover", "rados://meta/", "j1")).isEqualTo(1);
    assertThat(err.toString()).contains("may be alive").contains("--force");
    assertThat(run("jobs", "abort", "rados://meta/", "j1")).isEqualTo(1);
    assertThat(run("gc", "--dry-run", "rados://meta/")).isZero();
    assertThat(out.toString()).isEqualToNormalizingNewlines("nothing was changed\n");
    assertThat(run("gc", "rados://meta/")).isZero();
    assertThat(job.record().state()).contains(JobState.RUNNING);
    CommandLineJobs.commit(job);
    assertThat(fs.getFileStatus(new Path(OUT, "a")).getLen()).isEqualTo(100);
  }

  @Test
  void forceWithoutAnIdEndsAllJobsBelow() throws IOException {
    Job job = jobs.setUp("j1");
    write(job, 0, "a");
    assertThat(run("jobs", "recover", "--force", "rados://meta/elsewhere")).isZero();
    assertThat(out.toString())
        .as("a mistyped path looks like no success")
        .isEqualToNormalizingNewlines("0 jobs ended, 0 left alone, 0 kept\n");
    assertThat(job.record().state()).contains(JobState.RUNNING);
    assertThat(run("jobs", "recover", "--force", "--json", "rados://meta/sales")).isZero();
    List<String> lines = out.toString().lines().toList();
    assertThat(lines.get(1))
        .isEqualTo("{\"type\":\"summary\",\"ended\":1,\"leftAlone\":0,\"kept\":0}");
    JsonNode event = new ObjectMapper().readTree(lines.get(0));
    assertThat(event.get("type").asText()).isEqualTo("event");
    assertThat(event.get("action").asText()).isEqualTo("ABORTED");
    assertThat(event.get("subject").asText()).isEqualTo("job j1 on /sales/out");
    assertThatThrownBy(() -> CommandLineJobs.commit(job)).isInstanceOf(JobEndedException.class);
    assertThat(run("jobs", "list", "rados://meta/")).isZero();
    assertThat(out.toString()).isEqualToNormalizingNewlines("no jobs\n");
    assertThat(run("gc", "--dry-run", "--older-than", "0s", "rados://meta/")).isZero();
    assertThat(out.toString()).doesNotContain("j1");
  }

  @Test
  void aForcedAbortRemovesWhatTheJobWroteAndNothingElse() throws IOException {
    Job other = jobs.setUp("other");
    write(other, 0, "kept");
    Job job = jobs.setUp("j1");
    List<String> before = objects().stream().filter(name -> !name.endsWith("/j1")).toList();
    write(job, 0, "a");
    FSDataOutputStream open = jobs.create(job, 1, "b");
    open.write(new byte[5 << 20]);
    assertThat(run("jobs", "abort", "--force", "rados://meta/", "j1")).isZero();
    assertThat(out.toString())
        .contains("aborted: job j1 on /sales/out", "its record stays for a while");
    String record = job.record().name();
    assertThat(objects())
        .contains(record)
        .filteredOn(name -> !name.equals(record))
        .isEqualTo(before);
    // It was alive after all.
    assertThatThrownBy(open::close).isInstanceOf(JobEndedException.class);
    assertThatThrownBy(() -> write(job, 2, "c"))
        .isInstanceOf(JobEndedException.class)
        .hasMessageContaining("job j1 on /sales/out is ABORTED");
    assertThatThrownBy(() -> CommandLineJobs.commit(job)).isInstanceOf(JobEndedException.class);
    assertThat(run("jobs", "recover", "--force", "rados://meta/", "j1")).isZero();
    assertThat(objects()).isEqualTo(before);
    CommandLineJobs.commit(other);
  }

  /** As of a variable in a script that is not set. */
  @Test
  void anEmptyIdNamesNoJob() throws IOException {
    Job job = jobs.setUp("j1");
    for (String verb : new String[] {"abort", "recover"}) {
      assertThat(run("jobs", verb, "--force", "rados://meta/", "")).isEqualTo(1);
      assertThat(err.toString()).contains("the ID of the job is empty");
    }
    CommandLineJobs.commit(job);
  }

  @Test
  void aDecidedJobIsFinishedNotAborted() throws IOException {
    Job job = jobs.setUp("j1");
    write(job, 0, "a");
    FSDataOutputStream open = jobs.create(job, 1, "b");
    open.write(new byte[5 << 20]);
    CommandLineJobs.commit(job);
    assertThat(job.record().state()).contains(JobState.COMMITTED);
    assertThat(run("jobs", "abort", "--force", "rados://meta/", "j1")).isEqualTo(1);
    assertThat(err.toString()).contains("is committed, its files stay visible");
    assertThat(run("jobs", "recover", "--force", "rados://meta/", "j1")).isZero();
    assertThat(out.toString()).contains("finished: job j1");
    assertThat(objects()).noneMatch(name -> name.contains("//job/"));
    assertThat(fs.exists(new Path(OUT, "a"))).isTrue();
    assertThatThrownBy(open::close).isInstanceOf(JobEndedException.class);
  }

  @Test
  void gcTakesJobsThatAreOldEnough() throws IOException {
    Job job = jobs.setUp("j1");
    write(job, 0, "a");
    assertThat(run("gc", "--dry-run", "--older-than", "0s", "rados://meta/")).isZero();
    assertThat(out.toString()).contains("would finish: job j1 on /sales/out, PENDING");
    assertThat(run("gc", "--older-than", "0s", "rados://meta/")).isZero();
    assertThat(out.toString()).contains("aborted: job j1 on /sales/out");
    assertThat(objects()).noneMatch(name -> name.contains("//job/") || name.endsWith("/a"));
    assertThat(run("fsck", "--notes", "rados://meta/")).isZero();
    assertThat(out.toString()).contains("0 wrong, 0 unfinished");
  }

  /** Whatever the job's state, its fields are those of the page, and none of these is missing. */
  @Test
  void fieldsAreThoseOfThePage() throws IOException {
    Job running = jobs.setUp("running");
    write(running, 0, "a");
    Job committing = jobs.setUp("committing");
    write(committing, 0, "b");
    var faults = jobs.cluster().client("client.admin").faults();
    // Its plan is stored in its record, and is as far as it gets.
    faults.always(
        op -> op.write() && op.object().endsWith("/"),
        Fault.failWith(StoreException.Kind.NO_SPACE));
    assertThatThrownBy(() -> CommandLineJobs.commit(committing)).isInstanceOf(IOException.class);
    faults.clear();
    JsonNode job = json("jobs", "list", "--json", "rados://meta/");
    assertThat(DocumentedFields.names(job)).isEqualTo(DocumentedFields.of("jobs list"));
    Set<String> shown = new TreeSet<>();
    job = json("jobs", "show", "--json", "rados://meta/", "committing");
    shown.addAll(DocumentedFields.names(job));
    shown.addAll(DocumentedFields.names(job.get("attempts").get(0)));
    shown.addAll(DocumentedFields.names(job.get("plan")));
    assertThat(shown).isEqualTo(DocumentedFields.of("jobs show"));
    for (String verb : List.of("recover", "abort")) {
      JsonNode event =
          json(
              "jobs",
              verb,
              "--json",
              "--force",
              "rados://meta/",
              verb.equals("abort") ? "running" : "committing");
      assertThat(DocumentedFields.names(event))
          .isSubsetOf(DocumentedFields.of("jobs " + verb))
          .contains("type", "action", "subject", "detail");
    }
  }

  /** On a terminal, while what it wrote is removed. */
  @Test
  void progressIsShown() throws IOException {
    for (String verb : List.of("recover", "abort")) {
      Job job = jobs.setUp(verb);
      write(job, 0, "a");
      ShownProgress shown =
          ShownProgress.of(
              jobs.cluster(),
              op -> op.write(),
              "jobs " + verb,
              "--force",
              "rados://meta/sales/out",
              verb);
      assertThat(shown.status()).as(shown.err()).isZero();
      assertThat(shown.out()).contains("aborted: job " + verb);
      assertThat(shown.err().replace(ShownProgress.CLEAR, "<"))
          .containsPattern("<jobs " + verb + ": [1-9][0-9,]* RADOS operations, \\d+ s<")
          .endsWith("<");
    }
  }

  /**
   * No clock decides anything, so it is believed. Nothing would ever end the job of a driver that
   * died, and nobody be told.
   */
  @Test
  void aHeartbeatFromTheFutureIsToldOf() throws IOException {
    Job job = jobs.setUp("j1");
    boolean renewed =
        job.record().renew(System.currentTimeMillis() + Duration.ofDays(366).toMillis());
    assertThat(renewed).isTrue();
    String told = "job j1 on /sales/out, whose last heartbeat is 8783 h in the future (";
    String remedy = "If no process of it is left, `radosfs jobs recover --force <URI> j1` ends it";

    assertThat(run("jobs", "list", "rados://meta/")).isZero();
    assertThat(out.toString()).contains("8783 h ahead");
    assertThat(err.toString()).contains(told).contains(remedy);
    assertThat(run("gc", "--dry-run", "rados://meta/")).isZero();
    assertThat(out.toString()).contains("left alone: " + told).contains(remedy);
    assertThat(run("gc", "rados://meta/")).isZero();
    assertThat(out.toString()).contains("left alone: " + told).contains(remedy);
    assertThat(job.record().state()).contains(JobState.RUNNING);

    assertThat(run("jobs", "recover", "--force", "rados://meta/", "j1")).isZero();
    assertThat(job.record().state()).isNotEqualTo(Optional.of(JobState.RUNNING));
  }

  /** The driver says that it is alive; whoever asks, sees when. */
  @Test
  void driversSendHeartbeats() throws IOException {
    Job job = jobs.setUp("j1");
    boolean unused = job.record().renew(1);
    long before = job.record().head().orElseThrow().lastHeartbeat();
    assertThat(before).isLessThanOrEqualTo(System.currentTimeMillis());
    long later = before + 3_600_000;
    boolean still = job.record().renew(later);
    assertThat(still).isTrue();
    assertThat(job.record().head().orElseThrow().lastHeartbeat()).isEqualTo(later);
    jobs.destination().fs().heartbeats().beat();
    assertThat(job.record().head().orElseThrow().lastHeartbeat())
        .isBetween(before, System.currentTimeMillis());
    CommandLineJobs.commit(job);
    jobs.destination().fs().heartbeats().beat();
    assertThat(job.record().head()).isEmpty();
  }

  /** It does not end there: what is below other directories is listed. */
  @Test
  void listsTheRestWhereOneDirectoryIsNotAnsweredFor() throws IOException {
    Job job = jobs.setUp("j1");
    fs.mkdirs(new Path("rados://meta/b"));
    fs.mkdirs(new Path("rados://meta/sales/b"));
    jobs.cluster()
        .client("client.admin")
        .faults()
        .always(
            op -> !op.write() && List.of("b/", "sales/b/").contains(op.object()),
            Fault.LOSE_REQUEST);
    assertThat(run("jobs", "list", "rados://meta/")).isEqualTo(1);
    assertThat(out.toString()).contains("RUNNING  j1");
    assertThat(err.toString())
        .contains("radosfs: directory /b: no answer")
        .contains("radosfs: directory /sales/b: no answer");
    assertThat(run("jobs", "recover", "rados://meta/")).isEqualTo(1);
    assertThat(out.toString())
        .contains("left alone: job j1 on /sales/out")
        .contains("kept: directory /b: no answer");
    jobs.cluster().client("client.admin").faults().clear();
    CommandLineJobs.commit(job);
  }

  /** Its driver died before it made the record, or is about to make it. */
  @Test
  void aJobThatIsLeftAloneIsNotRecovered() throws IOException {
    Job job = jobs.destination().job("j1");
    assertThat(fs.mkdirs(OUT)).isTrue();
    job.fs().transactions().register(job.registration());
    assertThat(run("gc", "--dry-run", "rados://meta/")).isZero();
    assertThat(out.toString()).doesNotContain("would finish");
    assertThat(run("jobs", "recover", "rados://meta/", "j1")).isEqualTo(1);
    assertThat(out.toString()).contains("left alone: job j1").contains("set up just now");
    assertThat(run("jobs", "recover", "--force", "rados://meta/", "j1")).isZero();
    assertThat(out.toString()).contains("aborted: job j1");
  }

  /** Suspended after it had registered its job, until all that was left of it is forgotten. */
  @Test
  void theRecordThatADriverMakesAfterItWasTakenForDeadIsNamedAndRemoved() throws IOException {
    Job job = jobs.destination().job("j1");
    assertThat(fs.mkdirs(OUT)).isTrue();
    job.fs().transactions().register(job.registration());
    var aborted = job.fs().transactions().abort(job.registration());
    assertThat(aborted).isEqualTo(Transactions.State.ABORTED);
    job.fs().transactions().forget(job.registration());
    job.record().create(Destination.info("j1", "uuid-j1", "JobUUID", "spark"), () -> {});
    assertThat(run("gc", "rados://meta/")).as(out + "" + err).isZero();
    assertThat(objects()).contains("sales/out//job/j1");
    assertThat(run("fsck", "rados://meta/")).isEqualTo(1);
    String found = out.toString();
    assertThat(found).contains("LEAK sales/out//job/j1");
    String command = "radosfs jobs abort rados://meta/sales/out j1";
    assertThat(found).contains("to remove it: " + command);
    String[] args = command.substring("radosfs ".length()).split(" ");
    assertThat(run(args)).as("its driver may go on").isEqualTo(1);
    assertThat(err.toString()).contains("may be alive").contains("--force");
    args = (String.join(" ", args) + " --force").split(" ");
    assertThat(run(args)).as(err.toString()).isZero();
    assertThat(objects()).doesNotContain("sales/out//job/j1");
    assertThat(run("fsck", "rados://meta/")).as(out.toString()).isZero();
    assertThat(run(args)).isEqualTo(1);
    assertThat(err.toString()).contains("there is no job j1");
    assertThat(run("jobs", "abort", "rados://meta/sales/out", "a/b")).isEqualTo(1);
    assertThat(err.toString()).contains("there is no job a/b");
  }
}
