image    = "acme/worker:4.2.0"
replicas = 2
