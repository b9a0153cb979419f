image     = "acme/storefront:7.1.0"
replicas  = 1
subdomain = "staging"
