image     = "acme/storefront:7.0.3"
replicas  = 4
subdomain = "shop"
