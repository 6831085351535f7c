# RUN: %python %s
"""Who does not know the secret cannot join, learn anything, or disturb the job."""
import hashlib
import hmac
import os
import re
import resource
import socket
import struct

from job import FAKE, Case, main, wait_until

CHALLENGE, HELLO, GATHER, FAILURE = 1, 2, 4, 6
CHALLENGE_BYTES = 8 + 2 + 32


def frame(kind, payload):
    return struct.pack("<II", kind, len(payload)) + payload


def prove(secret, node, pid, launcher_nonce, node_nonce):
    statement = b"ompdsm node    " + struct.pack("<HHI", 1, node, pid) + launcher_nonce + node_nonce
    return hmac.new(secret, statement, hashlib.sha256).digest()


class Strangers(Case):
    def waiting_job(self, nodes=2):
        """A job whose last node joins when it is told to, and the port of its rendezvous."""
        job = self.job(nodes, f"{nodes - 1}:wait=go", "pid", "join", "print=joined\\n", options=["--stats"])
        pid = job.node_pid(0) if nodes > 1 else None
        with open(f"/proc/{pid}/environ", "rb") as file:
            port = int(re.search(rb"OMPDSM_RENDEZVOUS=127\.0\.0\.1:(\d+)", file.read())[1])
        return job, port

    def connect(self, port):
        stranger = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.addCleanup(stranger.close)
        return stranger

    def challenge(self, stranger):
        data = b""
        while len(data) < CHALLENGE_BYTES:
            more = stranger.recv(CHALLENGE_BYTES - len(data))
            self.assertTrue(more)
            data += more
        self.assertEqual(struct.unpack("<IIH", data[:10]), (CHALLENGE, 34, 1))
        return data[10:]

    def assert_dropped(self, stranger):
        """The launcher closes the connection and has said nothing more."""
        try:
            self.assertEqual(stranger.recv(100), b"")
        except ConnectionResetError:
            pass

    def assert_job_is_well(self, job, nodes=2):
        job.touch("go")
        self.assertEqual((job.finish(), job.out, job.err), (0, b"joined\n" * nodes, b""))

    def test_wrong_secret(self):
        job, port = self.waiting_job()
        stranger = self.connect(port)
        nonce = self.challenge(stranger)
        own = os.urandom(32)
        stranger.sendall(frame(HELLO, struct.pack("<HHI", 1, 1, 77) + own + prove(bytes(32), 1, 77, nonce, own)))
        self.assert_dropped(stranger)
        self.assert_job_is_well(job)

    def test_each_connection_has_a_challenge_of_its_own(self):
        # So what a node once said, in its own exchange, is worth nothing in another.
        job, port = self.waiting_job()
        self.assertEqual(len({self.challenge(self.connect(port)) for _ in range(20)}), 20)
        self.assert_job_is_well(job)

    def with_secret(self):
        """A job of which one node has not read its secret yet, that secret, and the port."""
        job = self.job(2, "pid", "connect", "touch=connected", "gather", "watch", "print=joined\\n",
                       program=["/bin/sh", "-c", '[ $OMPDSM_NODE = 0 ] || { echo $$ > $FAKE_DIRECTORY/draft; '
                                'mv $FAKE_DIRECTORY/draft $FAKE_DIRECTORY/shell; '
                                'until [ -e $FAKE_DIRECTORY/go ]; do sleep 0.02; done; }; exec "$@"', "sh", FAKE])
        job.await_file("shell")
        job.node_pid(0)
        with open(job.path("shell")) as file:
            shell = int(file.read())
        with open(f"/proc/{shell}/environ", "rb") as file:
            environment = file.read()
        secret = bytes.fromhex(re.search(rb"OMPDSM_SECRET=([0-9a-f]{64})", environment)[1].decode())
        return job, secret, int(re.search(rb"OMPDSM_RENDEZVOUS=127\.0\.0\.1:(\d+)", environment)[1])

    def say_hello(self, port, secret, node):
        connection = self.connect(port)
        nonce, own = self.challenge(connection), os.urandom(32)
        connection.sendall(frame(HELLO, struct.pack("<HHI", 1, node, 77) + own + prove(secret, node, 77, nonce, own)))
        return connection

    def test_node_that_is_in_cannot_come_again(self):
        job, secret, port = self.with_secret()
        job.await_file("connected")
        again = self.say_hello(port, secret, 0)
        self.assertIn(b"node 0 has joined already", again.recv(200))
        self.assert_job_is_well(job)

    def test_node_that_does_not_exist(self):
        job, secret, port = self.with_secret()
        self.assert_dropped(self.say_hello(port, secret, 2))
        self.assert_dropped(self.say_hello(port, secret, 65535))
        self.assert_job_is_well(job)

    def test_other_messages_before_the_proof(self):
        job, port = self.waiting_job()
        for kind, payload in ((GATHER, b"x"), (FAILURE, b"I am lost"), (7, b""), (0, b""), (255, b"")):
            stranger = self.connect(port)
            self.challenge(stranger)
            stranger.sendall(frame(kind, payload))
            self.assert_dropped(stranger)
        self.assert_job_is_well(job)

    def test_garbage(self):
        job, port = self.waiting_job()
        for data in (b"GET / HTTP/1.1\r\n\r\n", os.urandom(1000), b"\0" * 5000, b"\xff" * 5000,
                     frame(HELLO, b"")[:4] + b"\xff\xff\xff\xff" + b"x" * 1000):
            stranger = self.connect(port)
            try:
                stranger.sendall(data)
            except ConnectionError:
                pass
            try:
                while stranger.recv(1000):
                    pass
            except ConnectionResetError:
                pass
        self.assert_job_is_well(job)

    def test_silent_connection_is_dropped(self):
        job, port = self.waiting_job()
        stranger = self.connect(port)
        self.challenge(stranger)
        stranger.settimeout(20)
        self.assert_dropped(stranger)
        self.assert_job_is_well(job)

    def test_more_connections_than_places(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
        job, port = self.waiting_job()
        crowd = []
        for _ in range(700):
            crowd.append(self.connect(port))
        # The oldest made room for the newest.
        self.challenge(crowd[-1])
        self.challenge(crowd[0])
        self.assert_dropped(crowd[0])
        self.assert_job_is_well(job)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    def test_few_descriptors_and_many_strangers(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))

        job = self.job(2, "1:wait=go", "pid", "join", "print=joined\\n", preexec_fn=limit)
        with open(f"/proc/{job.node_pid(0)}/environ", "rb") as file:
            port = int(re.search(rb"OMPDSM_RENDEZVOUS=127\.0\.0\.1:(\d+)", file.read())[1])
        crowd = [self.connect(port) for _ in range(200)]
        self.challenge(crowd[-1])
        self.assert_job_is_well(job)

    def test_door_closes_when_all_are_in(self):
        job = self.job(2, "join", "pid", "env=OMPDSM_RENDEZVOUS", "touch=in", "wait=go")
        job.node_pid(0)
        job.node_pid(1)
        with open(f"/proc/{job.node_pid(0)}/environ", "rb") as file:
            port = int(re.search(rb"OMPDSM_RENDEZVOUS=127\.0\.0\.1:(\d+)", file.read())[1])

        def refused():
            with socket.socket() as stranger:
                return stranger.connect_ex(("127.0.0.1", port)) != 0

        wait_until(refused, "the door to close")
        job.touch("go")
        self.assertEqual(job.finish(), 0)

    def test_node_refuses_a_launcher_that_does_not_know_the_secret(self):
        # We are the launcher: challenge, take the hello, and answer with a proof of our own making.
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(20)
            port = server.getsockname()[1]
            environment = {"OMPDSM_NODES": "2", "OMPDSM_NODE": "1", "OMPDSM_SECRET": "ab" * 32,
                           "OMPDSM_RENDEZVOUS": f"127.0.0.1:{port}"}
            job = self.job(1, command=[FAKE, "join"], environment=environment)
            connection, _ = server.accept()
            with connection:
                connection.settimeout(20)
                connection.sendall(frame(CHALLENGE, struct.pack("<H", 1) + os.urandom(32)))
                hello = connection.recv(200)
                self.assertEqual(len(hello), 8 + 72)
                self.assertNotIn(bytes.fromhex("ab" * 32), hello)
                self.assertNotIn(b"ab" * 32, hello)
                connection.sendall(frame(3, os.urandom(32)))
                self.assertEqual(job.finish(), 90)
            self.assertIn(b"is not the launcher of this job", job.err)

    def test_launcher_of_another_version_is_named(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(20)
            port = server.getsockname()[1]
            environment = {"OMPDSM_NODES": "2", "OMPDSM_NODE": "1", "OMPDSM_SECRET": "ab" * 32,
                           "OMPDSM_RENDEZVOUS": f"127.0.0.1:{port}"}
            job = self.job(1, command=[FAKE, "join"], environment=environment)
            connection, _ = server.accept()
            with connection:
                connection.sendall(frame(CHALLENGE, struct.pack("<H", 2) + os.urandom(32)))
                self.assertEqual(job.finish(), 90)
            self.assertIn(b"speaks version 2 of the rendezvous", job.err)


if __name__ == "__main__":
    main()
