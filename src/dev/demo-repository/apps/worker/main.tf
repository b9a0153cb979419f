terraform {
  required_version = ">= 1.4"

  backend "local" {
    path = "/srv/terraform-state/apps/worker.tfstate"
  }
}

data "terraform_remote_state" "cluster" {
  backend = "local"

  config = {
    path = "/srv/terraform-state/platform/cluster.tfstate"
  }
}

data "terraform_remote_state" "cache" {
  backend = "local"

  config = {
    path = "/srv/terraform-state/data/cache.tfstate"
  }
}

variable "image" {
  type = string
}

variable "replicas" {
  type = number
}

module "service" {
  source = "../../modules/service"

  name        = "worker"
  environment = "production"
  cluster     = data.terraform_remote_state.cluster.outputs.name
  image       = var.image
  replicas    = var.replicas

  settings = {
    queue = data.terraform_remote_state.cache.outputs.endpoint
  }
}
