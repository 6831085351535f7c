# REQUIRES: ompdsm, namespaces
# RUN: %python %s
"""Nodes on several hosts, which are network namespaces joined by a bridge, started by mpirun: each has an address
of its own and no other way to the others. Needs root, iproute2 and Open MPI."""
import os
import signal
import subprocess
import time
import uuid

from job import END_SECONDS, PATIENCE_SECONDS, main, wait_until
from subject import INPUTS, SubjectCase

AGENT = os.path.join(INPUTS, "namespace-agent")
HOSTS = 3
ESTABLISHED = "01"
# Waits for the end of its input, then removes all namespaces of this prefix.
REMOVE = """read nothing
for name in $(ip netns list | cut -d ' ' -f 1 | grep "^$0-"); do ip netns del "$name" || exit 1; done
"""


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True, timeout=20, capture_output=True)


class Namespaces(SubjectCase):
    def setUp(self):
        self.prefix = "ompdsm-" + uuid.uuid4().hex[:10]
        # It lives in a session of its own until we close its input, be it by our death.
        self.remover = subprocess.Popen(["sh", "-c", REMOVE, self.prefix], stdin=subprocess.PIPE,
                                        start_new_session=True)
        super().setUp()
        self.bridge = self.make_namespace("hub")
        ip("-n", self.bridge, "link", "add", "hub", "type", "bridge")
        ip("-n", self.bridge, "link", "set", "hub", "up")
        self.hosts = [self.make_namespace(str(host)) for host in range(HOSTS)]
        self.addresses = [f"10.77.0.{10 + host}" for host in range(HOSTS)]

    def make_namespace(self, name):
        full = f"{self.prefix}-{name}"
        ip("netns", "add", full)
        return full

    def check_nothing_left(self):
        """The base class's clean-up after each test; then the namespaces go, with all that is in them."""
        try:
            super().check_nothing_left()
        finally:
            self.remover.communicate(timeout=PATIENCE_SECONDS)
            self.assertEqual(self.remover.returncode, 0)
            self.assertNotIn(self.prefix, subprocess.run(["ip", "netns", "list"], capture_output=True, text=True,
                                                         check=True).stdout)

    def connect_hosts(self, hosts=range(HOSTS)):
        for host in hosts:
            name = self.hosts[host]
            ip("link", "add", "eth0", "netns", name, "type", "veth", "peer", "name", f"port{host}", "netns",
               self.bridge)
            ip("-n", self.bridge, "link", "set", f"port{host}", "master", "hub", "up")
            ip("-n", name, "address", "add", f"{self.addresses[host]}/24", "dev", "eth0")
            for interface in ("lo", "eth0"):
                ip("-n", name, "link", "set", interface, "up")

    def start(self, *arguments, environment=None):
        environment = {"OMP_NUM_THREADS": str(2 * HOSTS), **(environment or {})}
        exported = [word for name in environment for word in ("-x", name)]
        # As root; with one core for several processes; by its own network, which is that of the hosts.
        mpirun = ["mpirun", "--allow-run-as-root", "--quiet", "--mca", "plm_rsh_agent", AGENT, "--mca",
                  "orte_keep_fqdn_hostnames", "1", "--mca", "oob_tcp_if_include", "eth0", "-H",
                  ",".join(f"{host}:1" for host in self.hosts)]
        # Words without spaces or quotes, so that the agent's shell takes them as they are.
        return self.job(HOSTS, command=[AGENT, self.hosts[0], *mpirun, *exported, self.program, *arguments],
                        environment=environment)

    def start_and_hold(self, **named):
        job = self.start("hold", **named)
        job.await_file("holding")
        return job

    def message_of(self, job):
        lines = [line for line in job.err.decode().splitlines() if line.startswith("ompdsm:")]
        self.assertEqual(len(lines), 1, job.err)
        return lines[0]

    def peers_of(self, pid):
        """The addresses at the other ends of the connections that the process's network namespace has."""
        peers = set()
        with open(f"/proc/{pid}/net/tcp") as table:
            for line in table.readlines()[1:]:
                fields = line.split()
                if fields[3] == ESTABLISHED:
                    number = bytes.fromhex(fields[2].split(":")[0])
                    peers.add(".".join(str(byte) for byte in reversed(number)))
        return peers

    def test_nodes_meet_over_their_own_addresses(self):
        self.connect_hosts()
        for provider in ("tcp", "auto"):
            with self.subTest(provider=provider):
                job = self.start_and_hold(environment={"OMPDSM_PROVIDER": provider})
                for node in range(HOSTS):
                    others = set(self.addresses) - {self.addresses[node]}
                    self.assertLessEqual(others, self.peers_of(job.node_pid(node)))
                job.touch("go")
                self.assert_ends_in_time(job)
                self.assertEqual((job.code, job.out), (0, b"ran\n"), job.err)

    def test_killed_node_ends_the_job_on_all_hosts(self):
        self.connect_hosts()
        for victim in range(HOSTS):
            with self.subTest(victim=victim):
                job = self.start_and_hold()
                os.kill(job.node_pid(victim), signal.SIGKILL)
                self.assert_ends_in_time(job)
                self.assertNotEqual(job.code, 0)
                self.assertRegex(self.message_of(job), rf"^ompdsm: node {victim} \(pid \d+\) was killed")

    def test_host_that_vanishes_ends_the_job_on_all_hosts(self):
        self.connect_hosts()
        job = self.start_and_hold()
        pids = [job.node_pid(node) for node in range(HOSTS)]
        ip("-n", self.bridge, "link", "set", "port2", "down")
        # No word comes from there any more: the others are told by silence, after 4 s, and it by the same.
        start = time.monotonic()
        wait_until(lambda: not any(self.is_alive(pid) for pid in pids) and not job.leftovers()[1],
                   "the end of all nodes")
        self.assertLess(time.monotonic() - start, 2 * END_SECONDS)
        # mpirun itself waits longer for its own connections.
        job.clear_processes()
        job.finish()
        self.assertRegex(self.message_of(job), r"^ompdsm: node 2 \(pid \d+\) .*its host or network failed")

    def is_alive(self, pid):
        try:
            with open(f"/proc/{pid}/stat") as file:
                return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
        except OSError:
            return False

    def test_interface_without_a_carrier_is_passed_over(self):
        # As the bridge of a container engine that runs no container: it is up, but nobody is there.
        ip("-n", self.hosts[0], "link", "add", "docker0", "type", "veth", "peer", "name", "down")
        ip("-n", self.hosts[0], "address", "add", "172.17.0.1/16", "dev", "docker0")
        ip("-n", self.hosts[0], "link", "set", "docker0", "up")
        self.connect_hosts()
        job = self.start("none", environment={"OMPDSM_START_TIMEOUT": "5"})
        job.code = job.finish()
        self.assertEqual((job.code, job.out), (0, b"ran\n"), job.err)

    def test_interface_can_be_chosen(self):
        # The first one leads nowhere.
        ip("-n", self.hosts[0], "link", "add", "first", "type", "veth", "peer", "name", "nowhere")
        ip("-n", self.hosts[0], "link", "set", "nowhere", "up")
        ip("-n", self.hosts[0], "address", "add", "192.0.2.1/24", "dev", "first")
        ip("-n", self.hosts[0], "link", "set", "first", "up")
        self.connect_hosts()
        for chosen in ("eth0", self.addresses[0]):
            job = self.start("none", environment={"OMPDSM_INTERFACE": chosen})
            job.code = job.finish()
            self.assertEqual((job.code, job.out), (0, b"ran\n"), job.err)
        job = self.start("none")
        self.assert_ends_in_time(job)
        self.assertNotEqual(job.code, 0)
        self.assertIn("OMPDSM_INTERFACE", self.message_of(job))


if __name__ == "__main__":
    main()
