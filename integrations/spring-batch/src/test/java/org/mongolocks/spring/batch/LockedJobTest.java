package org.mongolocks.spring.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.mongolocks.contract.adapter.EmbeddedScene.TTL;
import static org.mongolocks.contract.adapter.EmbeddedScene.soon;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockContendedException;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockRequest;
import org.mongolocks.server.ProxyRoute;
import org.mongolocks.sync.LockClient;
import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.ExitStatus;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.listener.JobExecutionListener;
import org.springframework.batch.core.repository.support.ResourcelessJobRepository;

/** Jobs that hold a lock while they run. */
class LockedJobTest {
    /** The common pool has one thread on two cores, which a blocked job would occupy. */
    private static final Executor THREAD_FOR_EACH = job -> new Thread(job, "job").start();

    private final BatchScene scene = new BatchScene();
    private final CountDownLatch itemIsRead = new CountDownLatch(1);
    private final CountDownLatch writeItem = new CountDownLatch(1);

    @AfterEach
    void close() throws Exception {
        writeItem.countDown();
        scene.close();
    }

    @Test
    void jobRunsUnderTheLock() throws Exception {
        List<Boolean> held = new CopyOnWriteArrayList<>();

        JobExecution execution = scene.run(item -> held.add(scene.isHeld()));

        assertThat(execution.getStatus()).isEqualTo(BatchStatus.COMPLETED);
        assertThat(held).containsExactly(true, true, true);
        assertThat(scene.isHeld()).isFalse();
        assertThat(execution.getExecutionContext().getLong(LockedJob.FENCING_TOKEN))
                .isEqualTo(scene.stored(scene.name).orElseThrow().fencingToken());
    }

    @Test
    void secondInstanceStopsBeforeItsFirstStep() throws Exception {
        CompletableFuture<JobExecution> first = blockedJob();
        List<String> written = new CopyOnWriteArrayList<>();

        JobExecution second = scene.run(written::add);

        assertThat(second.getStatus()).isEqualTo(BatchStatus.STOPPED);
        assertThat(second.getExitStatus().getExitCode()).isEqualTo(ExitStatus.STOPPED.getExitCode());
        assertThat(second.getExitStatus().getExitDescription()).contains(scene.name);
        assertThat(second.getFailureExceptions()).anyMatch(LockContendedException.class::isInstance);
        assertThat(second.getStepExecutions()).isEmpty();
        assertThat(written).isEmpty();
        writeItem.countDown();
        assertThat(first.get().getStatus()).isEqualTo(BatchStatus.COMPLETED);
    }

    @Test
    void waitingInstanceRunsAfterTheFirst() throws Exception {
        CompletableFuture<JobExecution> first = blockedJob();
        LockClient waiting = scene.openClient();
        List<Integer> writtenBefore = new CopyOnWriteArrayList<>();
        CompletableFuture<JobExecution> second = CompletableFuture.supplyAsync(
                () -> scene.run(
                        waiting, scene.keptAlive().waitAtMost(TTL), item -> writtenBefore.add(scene.written.size())),
                THREAD_FOR_EACH);
        soon("the second waits", () -> scene.stored(scene.name).orElseThrow().waiters() == 1);

        writeItem.countDown();

        assertThat(first.get().getStatus()).isEqualTo(BatchStatus.COMPLETED);
        assertThat(second.get().getStatus()).isEqualTo(BatchStatus.COMPLETED);
        assertThat(writtenBefore).containsExactly(3, 4, 5);
    }

    @Test
    void lossStopsTheJobAtTheNextChunk() throws Exception {
        CompletableFuture<JobExecution> job = blockedJob();

        scene.server.elapse(TTL.multipliedBy(2)); // a pause of the process
        soon("the job is stopping", () -> scene.execution.get().isStopping());
        writeItem.countDown();

        JobExecution execution = job.get();
        assertThat(execution.getStatus()).isEqualTo(BatchStatus.FAILED);
        assertThat(execution.getExitStatus().getExitCode()).isEqualTo(ExitStatus.FAILED.getExitCode());
        assertThat(execution.getExitStatus().getExitDescription()).contains(scene.name, "EXPIRED");
        assertThat(execution.getFailureExceptions()).anyMatch(LockLostException.class::isInstance);
        assertThat(scene.written).containsExactly("1");
    }

    @Test
    void jobWhoseLastChunkLostTheLockFails() {
        JobExecution execution = scene.run(item -> {
            if (item.equals("3")) {
                scene.forceRelease();
            }
        });

        assertThat(execution.getStatus()).isEqualTo(BatchStatus.FAILED);
        assertThat(execution.getExitStatus().getExitCode()).isEqualTo(ExitStatus.FAILED.getExitCode());
        assertThat(execution.getFailureExceptions()).hasSize(1).hasOnlyElementsOfType(LockLostException.class);
    }

    @Test
    void lossAfterTheLastStepFailsTheJob() {
        JobExecution execution = scene.run(item -> {}, new JobExecutionListener() {
            @Override
            public void afterJob(JobExecution ended) {
                scene.server.elapse(TTL.multipliedBy(2));
                await(() -> ended.getStatus() == BatchStatus.STOPPING);
            }
        });

        assertThat(execution.getStatus()).isEqualTo(BatchStatus.FAILED);
    }

    @Test
    void failedJobReleasesTheLock() throws Exception {
        JobExecution execution = scene.run(item -> {
            throw new IllegalStateException("A step fails");
        });

        assertThat(execution.getStatus()).isEqualTo(BatchStatus.FAILED);
        assertThat(execution.getFailureExceptions()).noneMatch(LockException.class::isInstance);
        assertThat(scene.isHeld()).isFalse();
    }

    @Test
    void faultOfTheServerFailsTheJob() throws Exception {
        ProxyRoute route = scene.route();
        LockClient client = scene.client(route);
        route.proxy().refuse();

        JobExecution execution = scene.run(client, scene.keptAlive(), item -> {});

        assertThat(execution.getStatus()).isEqualTo(BatchStatus.FAILED);
        assertThat(execution.getStepExecutions()).isEmpty();
        assertThat(execution.getExitStatus().getExitDescription()).contains(scene.name);
    }

    @Test
    void interruptStopsTheJobBeforeItsFirstStep() throws Exception {
        LockClient client = scene.openClient();
        Thread.currentThread().interrupt();

        JobExecution execution = scene.run(client, scene.keptAlive(), item -> {});

        assertThat(Thread.interrupted()).isTrue();
        assertThat(execution.getStatus()).isEqualTo(BatchStatus.STOPPED);
        assertThat(execution.getStepExecutions()).isEmpty();
        assertThat(scene.isHeld()).isFalse();
    }

    @Test
    void launchersSeeTheJob() throws Exception {
        ResourcelessJobRepository repository = new ResourcelessJobRepository();
        Job job = scene.job(repository, item -> {});
        LockedJob locked = new LockedJob(job, repository, scene.client(), execution -> scene.keptAlive());

        assertThat(locked.getName()).isEqualTo("job");
        assertThat(locked.isRestartable()).isTrue();
        assertThat(locked.getJobParametersIncrementer()).isNull();
        assertThat(locked.getJobParametersValidator()).isSameAs(job.getJobParametersValidator());
        assertThat(locked.getStepNames()).containsExactly("step");
        assertThat(locked.getStep("step")).isNotNull();
        assertThat(locked).hasToString("SimpleJob: [name=job] under a lock");
    }

    @Test
    void missingPartsAreRefused() throws Exception {
        LockClient client = scene.client();
        ResourcelessJobRepository repository = new ResourcelessJobRepository();
        Job job = scene.job(repository, item -> {});
        Function<JobExecution, LockRequest> requests = execution -> scene.keptAlive();

        assertThatNullPointerException().isThrownBy(() -> new LockedJob(null, repository, client, requests));
        assertThatNullPointerException().isThrownBy(() -> new LockedJob(job, null, client, requests));
        assertThatNullPointerException().isThrownBy(() -> new LockedJob(job, repository, null, requests));
        assertThatNullPointerException().isThrownBy(() -> new LockedJob(job, repository, client, null));
        assertThat(scene.run(client, null, item -> {}).getStatus()).isEqualTo(BatchStatus.FAILED);
    }

    /** Starts a job whose first item is not written until the test says so. */
    private CompletableFuture<JobExecution> blockedJob() throws InterruptedException {
        CompletableFuture<JobExecution> job = CompletableFuture.supplyAsync(
                () -> scene.run(item -> {
                    itemIsRead.countDown();
                    writeItem.await();
                }),
                THREAD_FOR_EACH);
        itemIsRead.await();
        return job;
    }

    private static void await(Callable<Boolean> condition) {
        try {
            soon("the condition holds", condition);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
